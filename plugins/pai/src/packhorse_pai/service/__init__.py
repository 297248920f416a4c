"""The shell around the policy: folders, the store, the clock, and calls through the host's door."""
