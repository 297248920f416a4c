"""Swaps, repairs and other changes of a roster, and what they do."""
