"""Rosters as values and arithmetic: no store, clock, framework or wire.

The rooms, each of which imports only those before it: `programme` (the question), `roster` and `rules` (the
arithmetic), `solve` (the answer), `change` (swaps and repairs of it), `insight` (what it looks like to its readers).
"""
