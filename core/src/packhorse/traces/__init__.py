"""Spans of calls for OpenTelemetry, where somebody records them."""
