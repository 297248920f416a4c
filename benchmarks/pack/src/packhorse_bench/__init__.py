"""What the benchmarks serve, on every side."""
