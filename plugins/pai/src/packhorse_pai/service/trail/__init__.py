"""What is on record of agents: each attempt, the file of a run, and counters."""
