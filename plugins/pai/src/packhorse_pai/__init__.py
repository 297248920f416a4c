"""Governed agents as tools, for the packhorse MCP host."""
