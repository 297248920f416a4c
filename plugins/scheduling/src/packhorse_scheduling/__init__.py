"""Medical residency rosters for the packhorse MCP host."""
