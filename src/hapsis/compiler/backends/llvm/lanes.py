"""The value type of generated code: one number, or one number of each of several states."""

import struct
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

WAYS = ("in", "out", "zero")  # in which a batch is transposed: rows to lanes, lanes to rows, zeros to rows


@dataclass(frozen=True)
class Lanes:
    """The value type of generated code: `width` numbers of one precision, fused or not."""

    width: int
    precision: str = "f64"
    contract: bool = True
    vector: int = 8  # lanes of a machine register, for groups of scalar sines
    registers: int = 24  # values we keep in registers at once
    rows: bool = True  # of several states: each is a row of its arrays, or they lie side by side
    packs: int = 1  # lanes that twins in code for one state may share

    @property
    def transposed(self) -> bool:
        """Whether rows are transposed into lanes before the code, and back after it."""
        return self.rows and self.width > 1

    @cached_property
    def scalar(self) -> str:
        """The IR name of one number."""
        return "double" if self.precision == "f64" else "float"

    @cached_property
    def type(self) -> str:
        """The IR name of a value."""
        return self.scalar if self.width == 1 else f"<{self.width} x {self.scalar}>"

    @cached_property
    def mask(self) -> str:
        """The IR name of a condition."""
        return "i1" if self.width == 1 else f"<{self.width} x i1>"

    @cached_property
    def suffix(self) -> str:
        """The ending of an intrinsic's name."""
        return self.precision if self.width == 1 else f"v{self.width}{self.precision}"

    @cached_property
    def bytes(self) -> int:
        """The size of a value."""
        return self.width * (8 if self.precision == "f64" else 4)

    def literal(self, value: float) -> str:
        """A constant as IR writes it: exact, in hexadecimal."""
        if self.precision == "f32":
            with np.errstate(over="ignore"):  # a constant beyond its range is infinite
                value = float(np.float32(value))
        text = f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"
        return text if self.width == 1 else f"splat ({self.scalar} {text})"

    def of_width(self, width: int) -> "Lanes":
        """The same with another number of lanes."""
        return replace(self, width=width)

    def rows_symbol(self, way: str) -> str:
        """The name of the function that transposes W rows into lanes, or back."""
        return f"hs_rows_{way}_{self.width}{self.precision}"
