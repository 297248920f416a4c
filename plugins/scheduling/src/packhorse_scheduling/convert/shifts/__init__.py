"""Public formats of shift-scheduling instances, to and from the pack's own domain."""
