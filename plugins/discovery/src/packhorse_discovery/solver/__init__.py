"""Solving a scheduling model by OR-tools, imported when something is solved, or by an installed MiniZinc."""
