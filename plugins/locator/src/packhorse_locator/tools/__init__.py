"""The tools: convert in, ask a desk, convert out."""
