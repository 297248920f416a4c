"""Names that stand for one another and cannot be derived by rule: our own lists, from general knowledge.

Each table is text: ``head:variant variant ...``, entries parted by ``|`` or a new line, everything folded to a-z.
The languages have one module each; ``families.py`` beside this folder reads them. None of them was drawn from a
register of real people, and no entry is there for the sake of one record or one query.
"""
