"""An interview that turns an expert's knowledge into a solvable scheduling model, for the packhorse MCP host."""
