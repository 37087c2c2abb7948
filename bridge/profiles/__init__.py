"""Device models as data: ``device_profiles/*.yaml`` to ``DeviceSpec``, or a precise refusal."""

from bridge.profiles.load import installed_profiles, load_installed, load_named, load_profile

__all__ = ["installed_profiles", "load_installed", "load_named", "load_profile"]
