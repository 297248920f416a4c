"""What a discovery schema asks for, and how schemas are read, derived, checked and migrated."""
