"""Random programs give the same bits as machine code and as Python."""

import random

import numpy as np
import pytest
from native_text import agree, functions


class Programs:
    """Random functions over two arrays: x of 5 floats, k of 5 ints.

    Ints stay small, divisors are not zero, indices lie inside, so that Python raises nothing.
    """

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.floats, self.ints, self.bools = ["a", "b"], ["n"], ["c"]
        self.fresh = 0

    def real(self, depth: int) -> str:
        d, draw = depth - 1, self.draw
        if depth <= 0:
            literal = repr(draw.choice([0.0, -0.0, 0.5, 1e300, 3.0, draw.uniform(-2, 2)]))
            return draw.choice([*self.floats, f"x[{self.index(0)}]", f"({literal})", "HALF"])
        form = draw.choice(
            [
                "({} + {})",
                "({} - {})",
                "({} * {})",
                "({} / {})",
                "({} % {})",
                "({} // {})",
                "min({}, {})",
                "max({}, {})",
                "-{}",
                "abs({})",
                "sqrt({})",
                "floor({})",
                "mixed",
                "choice",
                "x",
                "power",
                "helper",
            ]
        )
        if form == "mixed":
            return f"({self.whole(d)} * {self.real(d)} + float({self.whole(d)}))"
        if form == "choice":
            return f"({self.real(d)} if {self.test(d)} else {self.real(d)})"
        if form == "x":
            return f"x[{self.index(d)}]"
        if form == "power":
            return f"power(abs({self.real(d)}), {self.real(d)})"
        if form == "helper":
            return f"helper({self.real(d)}, {self.whole(d)}, x)"
        # the first operand is a NumPy number, for which division by zero is defined
        return form.format(f"(a * 0.0 + {self.real(d)})", f"(a * 0.0 + {self.real(d)})")

    def whole(self, depth: int) -> str:
        d, draw = depth - 1, self.draw
        if depth <= 0:
            return draw.choice([*self.ints, "k[n % 5]", "LIMIT", "2", "(-3)"])
        form = draw.choice(
            [
                "(({} + {}) % 97)",
                "(({} - {}) % 97)",
                "(({} * {}) % 89)",
                "({} // (abs({}) % 7 + 1))",
                "({} % -(abs({}) % 7 + 1))",
                "({} // -(abs({}) % 5 + 1))",
                "min({}, {})",
                "max({}, {})",
                "cut",
                "int",
            ]
        )
        if form == "cut":
            return f"int(min(50.0, max(-50.0, {self.real(d)})))"  # no NaN comes through
        if form == "int":
            return f"int({self.test(d)})"
        return form.format(self.whole(d), self.whole(d))

    def index(self, depth: int) -> str:
        return f"{self.whole(depth)} % 5"

    def test(self, depth: int) -> str:
        d, draw = depth - 1, self.draw
        if depth <= 0:
            return draw.choice([*self.bools, "n < 3", "a <= b"])
        sign = draw.choice(["<", "<=", ">", ">=", "==", "!="])
        return draw.choice(
            [
                f"({self.real(d)} {sign} {self.real(d)})",
                f"({self.whole(d)} {sign} {self.whole(d)} <= {self.real(d)})",
                f"({self.test(d)} and {self.test(d)})",
                f"({self.test(d)} or {self.test(d)})",
                f"(not {self.test(d)})",
                f"isfinite({self.real(d)})",
            ]
        )

    def block(self, depth: int, looped: bool) -> list[str]:
        known = [list(x) for x in (self.floats, self.ints, self.bools)]
        lines = [line for _ in range(self.draw.randint(1, 4)) for line in self.one(depth, looped)]
        self.floats, self.ints, self.bools = known
        return ["    " + line for line in lines]

    def one(self, depth: int, looped: bool) -> list[str]:
        draw = self.draw
        kinds = ["float", "int", "bool", "x", "k", "augment", "swap"]
        kinds += ["if", "for", "while"] * 2 if depth else []
        kinds += ["leave"] if looped else []
        kind = draw.choice(kinds)
        self.fresh += 1
        if kind == "float":
            return [self.assign(self.floats, "f", self.real(2))]
        if kind == "int":
            return [self.assign(self.ints, "i", self.whole(2) + " % 1000")]
        if kind == "bool":
            return [self.assign(self.bools, "t", self.test(2))]
        if kind == "x":
            return [f"x[{self.index(1)}] = {self.real(2)}"]
        if kind == "k":
            return [f"k[{self.index(1)}] = {self.whole(2)} % 1000"]
        if kind == "augment":
            return [f"x[{self.index(1)}] {draw.choice('+-*/')}= {self.real(2)}"]
        if kind == "swap":
            return [f"x[0], x[{self.index(0)}] = {self.real(1)}, x[0]"]
        if kind == "leave":
            return [f"if {self.test(1)}:", "    " + draw.choice(["break", "continue"])]
        if kind == "if":
            lines = [f"if {self.test(2)}:", *self.block(depth - 1, looped)]
            return [*lines, "else:", *self.block(depth - 1, looped)]
        if kind == "for":
            span = draw.choice(["4", "n % 6", "1, 9, 3", "LIMIT, -2, -2", "n % 3, 4"])
            name = f"j{self.fresh}"
            self.ints.append(name)
            lines = [f"for {name} in range({span}):", *self.block(depth - 1, True)]
            self.ints.remove(name)
            return lines
        name = f"w{self.fresh}"
        body = self.block(depth - 1, True)
        return [f"{name} = 0", f"while {name} < 4 and {self.test(1)}:", f"    {name} += 1", *body]

    def assign(self, names: list[str], start: str, value: str) -> str:
        name = f"{start}{self.fresh}"
        if names[1:] and self.draw.random() < 0.5:
            name = self.draw.choice(names[1:])
        if name.startswith("j") or name not in names:
            name = f"{start}{self.fresh}"
            names.append(name)
        return f"{name} = {value}"

    def text(self) -> str:
        body = [line for _ in range(6) for line in self.one(3, False)]
        return "\n".join(
            [
                "@native",
                "def helper(u: float, m: int, x: Array) -> float:",
                "    x[m % 5] += 0.25",
                "    if m % 2 == 0:",
                "        return u * x[m % 3]",
                "    return u - 1",
                "@native",
                "def program(a: float, b: float, n: int, c: bool, x: Array, k: Ints) -> float:",
                *("    " + line for line in body),
                f"    return {self.real(2)}",
            ]
        )


@pytest.mark.parametrize("seed", range(40))
def test_random_programs(seed, tmp_path):
    program = functions(tmp_path, Programs(seed).text())["program"]
    draw = np.random.default_rng(seed)
    for special in (None, np.nan, np.inf, -0.0):
        x, k = draw.normal(size=5), draw.integers(-9, 9, 5)
        a, b = draw.normal(size=2)
        if special is not None:
            x[draw.integers(5)] = b = special
        agree(program, float(a), float(b), int(draw.integers(-5, 20)), bool(special), x, k)
