"""Identity cards, the policy they compile to, and what it decides. Pure: no I/O, no clock, no framework."""
