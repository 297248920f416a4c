"""The Model Context Protocol, whatever carries it."""
