"""A block grid of a chief's own making, understood: people down, blocks across, colours or codes in the cells.

What is certain is taken. What is not becomes a question, or is listed with its coordinates.
"""
