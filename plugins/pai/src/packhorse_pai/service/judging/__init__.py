"""Judging what agents want to do, and asking a person."""
