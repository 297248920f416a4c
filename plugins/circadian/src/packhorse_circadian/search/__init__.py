"""Searches over many schedules at once, with numpy: loaded within the call that needs it."""
