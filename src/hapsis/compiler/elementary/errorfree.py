"""Error-free transformations and polynomials over any arithmetic; no general double-double type."""

from __future__ import annotations

from collections.abc import Sequence

from .arithmetic import Arithmetic, Value

SPLITTER = 134217729.0  # 2**27 + 1


def fast_two_sum(a: Value, b: Value) -> tuple[Value, Value]:
    """(s, e) with s = fl(a + b) and s + e = a + b exactly, if |a| >= |b| or a = 0 (Dekker)."""
    s = a + b
    return s, b - (s - a)


def two_sum(a: Value, b: Value) -> tuple[Value, Value]:
    """(s, e) with s = fl(a + b) and s + e = a + b exactly, for any order of sizes (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def split(a: Value) -> tuple[Value, Value]:
    """(h, l) with a = h + l and at most 26 bits in each (Veltkamp); needs |a| < 2**996."""
    t = a * SPLITTER
    h = t - (t - a)
    return h, a - h


def two_product(ar: Arithmetic, a: Value, b: Value) -> tuple[Value, Value]:
    """(p, e) with p = fl(a*b) and p + e = a*b exactly, away from overflow and underflow.

    With fma the error is fma(a, b, -p); without, the four partial products of the halves are
    exact and their sum, taken from the largest on, loses nothing (Dekker).
    Reference: [Muller], chapter 4.
    """
    p = a * b
    if ar.fma:
        return p, ar.muladd(a, b, -p)
    ah, al = split(a)
    bh, bl = split(b)
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def polynomial(ar: Arithmetic, x: Value, coefficients: Sequence[float]) -> Value:
    """c0 + c1 x + c2 x^2 + ..., by Horner's rule on one `muladd` a coefficient."""
    *rest, last = coefficients
    value = ar.muladd(x, last, rest.pop()) if rest else last
    for c in reversed(rest):
        value = ar.muladd(x, value, c)
    return value


def paired_polynomial(ar: Arithmetic, x: Value, xx: Value, coefficients: Sequence[float]) -> Value:
    """The same polynomial, even and odd coefficients apart (xx = x*x): half the latency."""
    even = polynomial(ar, xx, coefficients[0::2])
    odd = polynomial(ar, xx, coefficients[1::2])
    return ar.muladd(x, odd, even)
