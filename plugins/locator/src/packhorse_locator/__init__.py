"""Finding a person in a detention registry, for the packhorse MCP host."""
