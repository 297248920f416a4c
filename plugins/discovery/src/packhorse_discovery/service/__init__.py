"""The desk that holds the interviews, and the library of schemas it works from."""
