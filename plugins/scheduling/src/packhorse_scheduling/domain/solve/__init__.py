"""Making rosters: one formulation (`model`), posted by the rules themselves, for blocks, repair and explanation."""
