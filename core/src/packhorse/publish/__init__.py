"""Handing on a pack: a bundle for desktop apps, an entry for the public registry, both from what the pack says."""
