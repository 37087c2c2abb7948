"""Files that people write: read with the line of every key, checked, and every fault told in one go.

document = read_toml(path)
inspection = Inspection(document)
form = inspection.check(SomeForm)         # all faults of form are noted, none is raised
inspection.fault(("device", 1, "line"), "the name of a line", valid=names)
inspection.finish()                       # raises DocumentError with every fault, if there is one
"""
