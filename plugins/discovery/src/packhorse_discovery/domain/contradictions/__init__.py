"""What different answers say in passing, held against one another and against what is established."""
