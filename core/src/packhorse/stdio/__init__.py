"""Serving over standard input and output."""
