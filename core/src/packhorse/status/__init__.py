"""The status page, for a person with a browser."""
