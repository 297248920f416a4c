"""The registry's tables, and rows to and from the domain."""
