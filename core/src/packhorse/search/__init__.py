"""Finding a tool by what somebody wants: for deployments with more tools than a client can list."""
