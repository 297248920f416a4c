"""Questions from the wire to the desks, and what they found back, in data and in words."""
