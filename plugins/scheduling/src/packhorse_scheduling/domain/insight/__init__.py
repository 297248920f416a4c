"""What a roster looks like to those who read it: load, cover, fairness, and the words for it."""
