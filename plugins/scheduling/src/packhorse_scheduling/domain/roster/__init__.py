"""A roster and its programme as arrays."""
