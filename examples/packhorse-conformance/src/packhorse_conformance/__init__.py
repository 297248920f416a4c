"""Fixtures that the public MCP conformance suite asks a server for."""
