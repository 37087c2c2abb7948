"""A process that has imported the bridge, and becomes a process of the bridge as often as it is asked to.

``python -m tests.processes.forking DESCRIPTOR`` takes its orders from a socket; ``tests.processes.forked`` gives
them. To import the bridge takes a processor longer than to play a round, and the tests start it hundreds of times.

Whoever is forked runs a module as ``python -m`` does, from its first line to the end of the interpreter, with the
words, environment and output that it was given. It is a process as any other, with an id, a session and signals of
its own, and no memory of those before it, for this process does nothing but fork.

What it does not prove is that what people type finds and imports the bridge. That is proven by the tests of the
README for every command, and, beside this file, by those of the demonstration, of captures and of refusals.
"""

import ctypes
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import sys
import time
from dataclasses import asdict, dataclass
from typing import Final

_IMPORTED: Final = (
    "bridge.cli.tables",
    "bridge.config",
    "bridge.daemon",
    "bridge.rules_worker",
    "bridge.dashboard.serve",
    "bridge.wire.protocols.hid_pos",
    "bridge.wire.protocols.modbus_rtu",
)
_SET_PARENT_DEATH_SIGNAL: Final = 1
ORDER_MAX: Final = 1 << 20
"""Bytes; the environment is the most of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be run; with it come the descriptors of its standard output, its errors, and who is told."""

    module: str
    words: tuple[str, ...]
    directory: str
    environment: dict[str, str]

    def encode(self) -> bytes:
        """Return it as it is sent."""
        return json.dumps(asdict(self)).encode()


def _decode(data: bytes) -> Order:
    said = json.loads(data)
    return Order(
        module=said["module"],
        words=tuple(said["words"]),
        directory=said["directory"],
        environment=said["environment"],
    )


def _ordered(orders: socket.socket) -> Order:
    """Fork for every order; return it in the process that has to carry it out."""
    while True:
        data, descriptors, _, _ = socket.recv_fds(orders, ORDER_MAX, 3)
        if not data:
            sys.exit()
        out, errors, told = descriptors
        watcher = os.fork()
        if watcher == 0:
            _end_with_parent()
            orders.close()
            if _watch(out, errors, told):
                return _decode(data)
        for descriptor in descriptors:
            os.close(descriptor)
        _reap()


def _watch(out: int, errors: int, told: int) -> bool:
    """Fork once more; tell the id of the process and how it ended, and return in the process alone."""
    process = os.fork()
    if process == 0:
        _end_with_parent()
        os.close(told)
        for descriptor, standard in ((out, 1), (errors, 2)):
            os.dup2(descriptor, standard)
            os.close(descriptor)
        return True
    for descriptor in (out, errors):
        os.close(descriptor)
    os.write(told, b"%d\n" % process)
    _, status = os.waitpid(process, 0)
    os.write(told, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL)


def _reap() -> None:
    """Bury the watchers whose processes have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _carry_out(order: Order) -> None:
    os.setsid()
    os.chdir(order.directory)
    os.environ.clear()
    os.environ.update(order.environment)
    time.tzset()
    sys.argv[1:] = order.words
    runpy.run_module(order.module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    for module in _IMPORTED:
        importlib.import_module(module)
    # What is imported stays: no fork copies it to look whether it is garbage.
    gc.freeze()
    with socket.socket(fileno=int(sys.argv[1])) as ours:
        chosen = _ordered(ours)
    _carry_out(chosen)
