"""What an interview is and what it yields: pure values and functions."""
