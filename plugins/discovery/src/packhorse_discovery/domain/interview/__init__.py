"""What an interview has established, what it asks next and what it says back."""
