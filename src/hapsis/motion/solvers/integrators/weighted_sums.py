"""Sums of vectors by short lists of (place, weight): what the tables of methods are made of."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, at, native


def flat_rows(rows: Iterable[Mapping[int, float]]) -> tuple[Any, Any, Any]:
    """Where each row {place: weight} starts, then the places and the weights of all of them."""
    rows = list(rows)
    starts = np.cumsum([0, *map(len, rows)])
    places = np.array([place for row in rows for place in row], np.int64)
    return starts, places, np.array([weight for row in rows for weight in row.values()])


@native
def total(n: int, first: int, last: int, places: Ints, weights: Array, vectors: Array, out: Array) -> None:
    """out = the sum of the entries from `first` to before `last`, four at a time."""
    four(n, first, last - first, places, weights, vectors, out)
    for e in range(first + 4, last, 4):
        four_more(n, e, last - e, 1.0, places, weights, vectors, out)


@native
def moved(
    n: int,
    first: int,
    last: int,
    h: float,
    places: Ints,
    weights: Array,
    vectors: Array,
    y: Array,
    out: Array,
) -> None:
    """out = y + h times that sum; rounded once more for each four after the first."""
    four_from(n, first, last - first, h, places, weights, vectors, y, out)
    for e in range(first + 4, last, 4):
        four_more(n, e, last - e, h, places, weights, vectors, out)


@native
def four(n: int, e: int, left: int, places: Ints, weights: Array, vectors: Array, out: Array) -> None:
    """out = the sum of up to four entries."""
    w0 = weights[e]
    x0 = at(vectors, places[e] * n)
    if left == 1:
        for j in range(n):
            out[j] = w0 * x0[j]
        return
    w1 = weights[e + 1]
    x1 = at(vectors, places[e + 1] * n)
    if left == 2:
        for j in range(n):
            out[j] = w0 * x0[j] + w1 * x1[j]
        return
    w2 = weights[e + 2]
    x2 = at(vectors, places[e + 2] * n)
    if left == 3:
        for j in range(n):
            out[j] = w0 * x0[j] + w1 * x1[j] + w2 * x2[j]
        return
    w3 = weights[e + 3]
    x3 = at(vectors, places[e + 3] * n)
    for j in range(n):
        out[j] = w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j]


@native
def four_more(
    n: int, e: int, left: int, h: float, places: Ints, weights: Array, vectors: Array, out: Array
) -> None:
    """out = out + h times the sum of up to four entries."""
    w0 = h * weights[e]
    x0 = at(vectors, places[e] * n)
    if left == 1:
        for j in range(n):
            out[j] += w0 * x0[j]
        return
    w1 = h * weights[e + 1]
    x1 = at(vectors, places[e + 1] * n)
    if left == 2:
        for j in range(n):
            out[j] += w0 * x0[j] + w1 * x1[j]
        return
    w2 = h * weights[e + 2]
    x2 = at(vectors, places[e + 2] * n)
    if left == 3:
        for j in range(n):
            out[j] += w0 * x0[j] + w1 * x1[j] + w2 * x2[j]
        return
    w3 = h * weights[e + 3]
    x3 = at(vectors, places[e + 3] * n)
    for j in range(n):
        out[j] += w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j]


@native
def four_from(
    n: int, e: int, left: int, h: float, places: Ints, weights: Array, vectors: Array, y: Array, out: Array
) -> None:
    """out = y + h times the sum of up to four entries."""
    w0 = h * weights[e]
    x0 = at(vectors, places[e] * n)
    if left == 1:
        for j in range(n):
            out[j] = y[j] + w0 * x0[j]
        return
    w1 = h * weights[e + 1]
    x1 = at(vectors, places[e + 1] * n)
    if left == 2:
        for j in range(n):
            out[j] = y[j] + (w0 * x0[j] + w1 * x1[j])
        return
    w2 = h * weights[e + 2]
    x2 = at(vectors, places[e + 2] * n)
    if left == 3:
        for j in range(n):
            out[j] = y[j] + (w0 * x0[j] + w1 * x1[j] + w2 * x2[j])
        return
    w3 = h * weights[e + 3]
    x3 = at(vectors, places[e + 3] * n)
    for j in range(n):
        out[j] = y[j] + (w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j])
