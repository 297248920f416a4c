"""The search for a plan of sleep and light that moves the body clock fastest.

Time runs in slots of half an hour, counted so that the usual bedtime at the
destination falls on a slot's edge. The light of each slot is one of five
levels. The clock is Forger's model of 1999 with exact light adaptation.
"""
