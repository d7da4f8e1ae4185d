"""MIDI ports of the system, through `mido` and `python-rtmidi`; the extra `midi` has both."""

import importlib
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import DeviceError, near

REMEDY = "pip install 'hapsis[midi]'"


class Port:
    """An open port; `send` takes the bytes of one message. Any object with these two will do."""

    def __init__(self, port: Any, message: Any) -> None:
        self._port, self._message = port, message
        self.name = str(port.name)

    def send(self, data: bytes) -> None:
        """Sends one message."""
        self._port.send(self._message.from_bytes(data))

    def close(self) -> None:
        """Closes it."""
        self._port.close()

    def __enter__(self) -> "Port":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


@verb
def open_port(name: str | None = None, *, virtual: bool = False) -> Port:
    """Opens a MIDI output of the system: the one with that name, or the first.

    virtual   makes a port of that name, to which other programs can connect (not on Windows)
    """
    try:
        mido = importlib.import_module("mido")
        names = [str(x) for x in mido.get_output_names()]
    except ImportError as problem:
        missing = problem.name or "mido"
        raise DeviceError(f"MIDI ports need the package of {missing}", remedy=REMEDY) from None
    except Exception as problem:  # what a system without a sequencer raises
        raise DeviceError(f"the system has no MIDI: {problem}") from None
    if not virtual and name is None and not names:
        raise DeviceError("the system has no MIDI output", remedy="start a synthesiser, or write a file")
    if not virtual and name is not None and name not in names:
        raise DeviceError(
            f'there is no MIDI output "{name[:60]}"{near(name, names)}',
            expected=", ".join(names) or "none here",
        )
    try:
        port = mido.open_output(name if virtual else name or names[0], virtual=virtual)
    except Exception as problem:  # in use, or not possible here
        raise DeviceError(f'the MIDI output "{name or names[0]}" cannot be opened: {problem}') from None
    return Port(port, mido.Message)
