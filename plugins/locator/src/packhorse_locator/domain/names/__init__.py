"""Names as evidence: how they are folded, split, keyed, compared, and how sure a comparison makes us."""
