"""Bodies that differ as people do: a plan is chosen for all of them, and days are counted over all of them."""
