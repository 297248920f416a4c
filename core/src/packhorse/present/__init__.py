"""Skills: what teaches an assistant to use a pack."""
