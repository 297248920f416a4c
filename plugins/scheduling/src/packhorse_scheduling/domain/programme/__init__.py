"""Who works, which services there are, what is asked for: the programme as it was given."""
