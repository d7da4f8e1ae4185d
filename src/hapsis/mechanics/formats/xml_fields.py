"""Helpers of the readers of XML formats: numbers in texts, rotated inertias, notes on ignored elements."""

from collections.abc import Iterable
from typing import Any

from hapsis.errors import ModelError, one_line
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.frames import IDENTITY, ORIGIN, Frame, Matrix, angles, rotation
from hapsis.mechanics.model.values.numbers import number

MOST_LINES = 100  # on what is ignored


def parsed(element: Element, texts: Iterable[str], what: str) -> tuple[float, ...]:
    """The numbers in texts of an element."""
    try:
        return tuple(number(text) for text in texts)
    except ModelError as error:
        expected = error.expected or "a finite number"
        raise element.wrong(f"{what}: {error.what}", expected=expected) from None


def notes(root: Element, lines: list[str]) -> list[str]:
    """Notes on the ignored parts of a file: the first lines, and how many more there are."""
    more = len(lines) - MOST_LINES
    listed = [*lines[:MOST_LINES], f"{more} more kinds"] if more > 0 else lines
    return [one_line(f"{root.file}: ignored {line}") for line in listed]


def turned(inertia: Any, rpy: Any) -> Any:
    """An inertia (xx, yy, zz, xy, xz, yz) given in axes rotated by `rpy`: R I Rᵀ."""
    return inertia if rpy == ORIGIN else rotated(inertia, rotation(rpy))


def rotated(inertia: Any, R: Matrix) -> Any:
    """R I Rᵀ as (xx, yy, zz, xy, xz, yz)."""
    xx, yy, zz, xy, xz, yz = inertia
    I = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    RI = [[sum(R[i][k] * I[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    return tuple(sum(RI[i][k] * R[j][k] for k in range(3)) for i, j in pairs)


def back_rotation(frame: Frame) -> Matrix:
    """The transposed rotation of a frame: from the axes of the body to those of the frame."""
    R = rotation(frame.rpy)
    return [[R[j][i] for j in range(3)] for i in range(3)]


def inverse(frame: Frame) -> Frame:
    """The frame of the body, relative to one of its frames."""
    if frame == IDENTITY:
        return IDENTITY
    back = back_rotation(frame)
    x, y, z = (-sum(row[k] * frame.at[k] for k in range(3)) for row in back)
    return Frame((x, y, z), angles(back))
