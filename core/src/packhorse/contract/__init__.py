"""What packs write with: the hooks, and the values that hooks take and return."""
