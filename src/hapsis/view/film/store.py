"""Large arrays of a page, one after the other in one text."""

import base64
import hashlib
from typing import Any

import numpy as np

from hapsis.errors import Error

LARGEST = 400_000_000  # bytes in one page; browsers refuse texts much longer


class Store:
    """Arrays one after the other, little-endian, each starting at a multiple of 8 bytes."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0
        self.known: dict[bytes, dict[str, Any]] = {}

    def add(self, values: Any, kind: str) -> dict[str, Any]:
        """Where the values lie: {at, count, kind}; the kinds are f4, f8. The same values lie there once."""
        raw = np.ascontiguousarray(values, dtype=f"<{kind}").tobytes()
        digest = hashlib.sha256(kind.encode() + raw).digest()
        if digest in self.known:
            return self.known[digest]
        place = {"at": self.size, "count": len(raw) // int(kind[1]), "kind": kind}
        self.parts += [raw, bytes(-len(raw) % 8)]
        self.size += len(raw) + -len(raw) % 8
        if self.size > LARGEST:
            raise Error(
                f"the scene is too large for one page: over {LARGEST // 1_000_000} MB",
                remedy="ask for fewer frames, player(scene, frames=500), or draw fewer bodies",
            )
        self.known[digest] = place
        return place

    def base64(self) -> str:
        """All of them as one text."""
        return base64.b64encode(b"".join(self.parts)).decode()
