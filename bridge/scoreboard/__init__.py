"""The scoreboard of baccarat: bead plate, big road and derived roads of one shoe, from its results. Pure.

The roads are custom of the trade, not regulation: no section prescribes them, and nothing is settled by them.
"""
