"""Sums of vectors by short lists of (place, weight): what the tables of methods are made of."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, at, constant, native, record, sized


@record
class WeightedRows:
    """Rows of a table; each is a short list of entries, a weight and the place of its vector."""

    rows: int = constant()
    entries: int = constant()
    starts: Ints = sized("rows + 1")  # the first entry of each row, and the end
    places: Ints = sized("entries")
    weights: Array = sized("entries")


def flat_rows(rows: Iterable[Mapping[int, float]]) -> dict[str, Any]:
    """The fields of `WeightedRows` for rows {place: weight}."""
    rows = list(rows)
    starts = np.cumsum([0, *map(len, rows)])
    places = np.array([place for row in rows for place in row], np.int64)
    weights = np.array([weight for row in rows for weight in row.values()])
    return dict(rows=len(rows), entries=len(places), starts=starts, places=places, weights=weights)


@native
def total(table: WeightedRows, row: int, n: int, vectors: Array, out: Array) -> None:
    """out = the sum of a row, four entries at a time."""
    first = table.starts[row]
    last = table.starts[row + 1]
    four(table, first, last - first, n, vectors, out)
    for e in range(first + 4, last, 4):
        four_more(table, e, last - e, n, 1.0, vectors, out)


@native
def moved(table: WeightedRows, row: int, n: int, h: float, vectors: Array, y: Array, out: Array) -> None:
    """out = y + h times the sum of a row; rounded once more for each four after the first."""
    first = table.starts[row]
    last = table.starts[row + 1]
    four_from(table, first, last - first, n, h, vectors, y, out)
    for e in range(first + 4, last, 4):
        four_more(table, e, last - e, n, h, vectors, out)


@native
def four(table: WeightedRows, e: int, left: int, n: int, vectors: Array, out: Array) -> None:
    """out = the sum of up to four entries."""
    w0 = table.weights[e]
    x0 = at(vectors, table.places[e] * n)
    if left == 1:
        for j in range(n):
            out[j] = w0 * x0[j]
        return
    w1 = table.weights[e + 1]
    x1 = at(vectors, table.places[e + 1] * n)
    if left == 2:
        for j in range(n):
            out[j] = w0 * x0[j] + w1 * x1[j]
        return
    w2 = table.weights[e + 2]
    x2 = at(vectors, table.places[e + 2] * n)
    if left == 3:
        for j in range(n):
            out[j] = w0 * x0[j] + w1 * x1[j] + w2 * x2[j]
        return
    w3 = table.weights[e + 3]
    x3 = at(vectors, table.places[e + 3] * n)
    for j in range(n):
        out[j] = w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j]


@native
def four_more(table: WeightedRows, e: int, left: int, n: int, h: float, vectors: Array, out: Array) -> None:
    """out = out + h times the sum of up to four entries."""
    w0 = h * table.weights[e]
    x0 = at(vectors, table.places[e] * n)
    if left == 1:
        for j in range(n):
            out[j] += w0 * x0[j]
        return
    w1 = h * table.weights[e + 1]
    x1 = at(vectors, table.places[e + 1] * n)
    if left == 2:
        for j in range(n):
            out[j] += w0 * x0[j] + w1 * x1[j]
        return
    w2 = h * table.weights[e + 2]
    x2 = at(vectors, table.places[e + 2] * n)
    if left == 3:
        for j in range(n):
            out[j] += w0 * x0[j] + w1 * x1[j] + w2 * x2[j]
        return
    w3 = h * table.weights[e + 3]
    x3 = at(vectors, table.places[e + 3] * n)
    for j in range(n):
        out[j] += w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j]


@native
def four_from(
    table: WeightedRows, e: int, left: int, n: int, h: float, vectors: Array, y: Array, out: Array
) -> None:
    """out = y + h times the sum of up to four entries."""
    w0 = h * table.weights[e]
    x0 = at(vectors, table.places[e] * n)
    if left == 1:
        for j in range(n):
            out[j] = y[j] + w0 * x0[j]
        return
    w1 = h * table.weights[e + 1]
    x1 = at(vectors, table.places[e + 1] * n)
    if left == 2:
        for j in range(n):
            out[j] = y[j] + (w0 * x0[j] + w1 * x1[j])
        return
    w2 = h * table.weights[e + 2]
    x2 = at(vectors, table.places[e + 2] * n)
    if left == 3:
        for j in range(n):
            out[j] = y[j] + (w0 * x0[j] + w1 * x1[j] + w2 * x2[j])
        return
    w3 = h * table.weights[e + 3]
    x3 = at(vectors, table.places[e + 3] * n)
    for j in range(n):
        out[j] = y[j] + (w0 * x0[j] + w1 * x1[j] + w2 * x2[j] + w3 * x3[j])
