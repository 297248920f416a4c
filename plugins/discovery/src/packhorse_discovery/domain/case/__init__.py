"""The case that all interviews of a project make together, and where it contradicts itself."""
