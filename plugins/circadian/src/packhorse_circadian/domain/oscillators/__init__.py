"""Published models of the human body clock under light, in plain Python.

Time is in hours, light in lux. Light is constant within a step, so the light
adaptation of every model (process L) is solved exactly; the oscillator itself
is stepped by Runge and Kutta's classical fourth-order method.
"""
