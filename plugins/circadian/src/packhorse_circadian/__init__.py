"""Jet lag: how hard a time-zone shift is, and what to do about it day by day."""
