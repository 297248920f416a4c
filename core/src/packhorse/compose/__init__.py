"""Settings and packs put together: what is found, collected, and served."""
