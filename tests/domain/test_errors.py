import inspect
from importlib import import_module
from pkgutil import walk_packages

import bridge
from bridge.domain.errors import BridgeError


def test_every_error_that_the_bridge_raises_on_purpose_is_a_bridge_error() -> None:
    modules = [
        import_module(module.name)
        for module in walk_packages(bridge.__path__, "bridge.")
        if not module.name.endswith("__main__")
    ]
    own = {
        error
        for module in modules
        for _, error in inspect.getmembers(module, inspect.isclass)
        if issubclass(error, Exception)
        and error.__module__.startswith("bridge.")
        and not error.__name__.startswith("_")
    }

    assert len(own) > 20
    assert [error.__name__ for error in own if not issubclass(error, BridgeError)] == []
