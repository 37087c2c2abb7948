"""The demonstration: a whole table on this machine, its devices and people simulated, all else real."""
