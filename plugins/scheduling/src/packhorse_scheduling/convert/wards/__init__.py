"""The question of a ward as a document, as sheets and as CSV, and its answers."""
