"""The exact mathematics of a paytable, by enumerating every deal with the very functions that settle.

Fractions throughout: a house advantage is what the house keeps, in the long run, of each unit wagered.
"""
