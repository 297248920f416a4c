"""Running agents: starting, making their steps, going on, and what drives them."""
