"""Rosters as values and arithmetic: no store, clock, framework or wire.

Read in this order: `calendar`, `people`, `services`, `requests`, `limits`, `programme` (the question), `kernel` and
`rules` (the arithmetic), `solve` (the answer), `roster` (what is kept).
"""
