"""The device's end of the cable: what a bridge can be tried on when there is no table.

Simulators share frame formats with the bridge and nothing else; they know no phase, no rule and no
broker. The people at the table act on the devices' inputs and react to what people can see.
"""
