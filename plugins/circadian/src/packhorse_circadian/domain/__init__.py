"""What is known about body clocks and travel: values and rules, with no clock and no framework.

`zones` is the one file that reads anything from outside, namely the time zone
database through the standard library.
"""
