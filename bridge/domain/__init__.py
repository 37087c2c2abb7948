"""The nouns of the pit: frozen values that know no device, no broker and no file.

Nothing in here has behaviour beyond being valid, comparing equal and printing itself. A value that
exists is legal; what the table does not know is a value with a name, never ``None``.
"""
