"""A ward's question, what a roster breaks or costs, and the search for the best one."""
