"""The host as a client: of another server, and of its own in demonstrations."""
