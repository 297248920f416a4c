"""Reading a sentence as a search: a small grammar over words, places and names, in English and Spanish."""
