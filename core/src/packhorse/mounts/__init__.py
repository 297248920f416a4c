"""Other people's servers, mounted: their tools behind this host's door, as they were accepted."""
