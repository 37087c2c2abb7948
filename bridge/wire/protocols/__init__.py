"""The protocol families, one file each."""
