"""Schemas made from functions; arguments and answers held against them; refusals that name every fault."""
