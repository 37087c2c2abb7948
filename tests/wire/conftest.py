"""A generated case may take as long as it takes: how busy the machine is says nothing about the wire."""

from hypothesis import settings

settings.register_profile("no_deadline", deadline=None)
settings.load_profile("no_deadline")
