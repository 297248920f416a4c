"""The shell: opens the store, reads the clock, asks the domain, saves."""
