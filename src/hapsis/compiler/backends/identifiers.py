"""Identifiers of generated code from names that users give.

A name is reduced to ASCII letters, digits and underscores: accents are dropped, a Greek letter becomes
its name, everything else becomes an underscore. The same identifier is valid in C, C++, MATLAB and
Python, and never a word of these languages. Everything that begins with `hs_` or `HS_`, and `v0`, `v1`,
..., belongs to the generated code itself.
"""

import itertools
import keyword
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

LONGEST = 63  # characters that MATLAB distinguishes, and C99 inside a file
SHORTEST = 22  # characters that are left for a name after a long stem

_C = (
    "asm auto bool break case char complex const continue default do double else enum extern far float "
    "for fortran goto if imaginary inline int interrupt linux long near register restrict return short "
    "signed sizeof static struct switch typedef typeof union unix unsigned void volatile while "
    "alignas alignof and and_eq bitand bitor catch class compl concept constexpr const_cast decltype "
    "delete dynamic_cast explicit export false friend mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq private protected public reinterpret_cast requires static_assert static_cast "
    "template this thread_local throw true try typeid typename using virtual wchar_t xor xor_eq "
    "fabs fabsf floor floorf sqrt sqrtf memcpy I"
)
_MATLAB = (
    "break case catch classdef continue do else elseif end endfunction endif endwhile enumeration events "
    "for function global if methods otherwise parfor persistent properties return spmd switch try "
    "unless until unwind_protect while ans eps nargin nargout isempty isinf zeros reshape permute numel "
    "double abs floor sqrt sin cos tan asin acos atan2 exp log pow min max sign"
)
_PYTHON = " ".join([*keyword.kwlist, *keyword.softkwlist, "math abs float int len range zip"])

RESERVED = frozenset(f"{_C} {_MATLAB} {_PYTHON} p".split())
_TAKEN = re.compile(r"v\d+\Z|(?i:hs_)\w*[A-Za-z0-9]\Z|[A-Z][A-Z0-9_]*[A-Z0-9]\Z", re.ASCII)


def is_reserved(identifier: str) -> bool:
    """Whether an identifier may have another meaning in generated code.

    Besides words of the languages, names all in capitals count: M_PI or NAN may be macros.
    """
    return identifier in RESERVED or bool(_TAKEN.match(identifier))


def reduced(name: str, otherwise: str) -> str:
    """The name as an identifier of at most 63 characters; `otherwise` if nothing is left of it."""
    letters = (_letter(character) for character in unicodedata.normalize("NFKD", name[:200]))
    text = re.sub(r"[^A-Za-z0-9_]+", "_", "".join(letters))
    if text != name:
        text = re.sub("_{2,}", "_", text).rstrip("_")
    text = text.lstrip("_")
    if text[:1].isdigit():
        text = f"{otherwise}_{text}"
    return text[:LONGEST] or otherwise


def _letter(character: str) -> str:
    if character.isascii():
        return character
    if unicodedata.combining(character):
        return ""
    words = unicodedata.name(character, "").split()
    if words[:1] == ["GREEK"] and len(words) == 4 and words[2] == "LETTER":
        return words[3].lower() if words[1] == "SMALL" else words[3].capitalize()
    return " "


def unique(
    names: Sequence[str],
    otherwise: str,
    *,
    taken: Iterable[str] = (),
    longest: int = LONGEST,
    fold: bool = False,
) -> list[str]:
    """An identifier for each name, all different; with `fold` also if upper case counts as lower case.

    Names that are identifiers already are kept where possible; the others get an underscore or a number
    at their end. A name that vanishes is numbered: `otherwise` and its position.
    """
    key = str.lower if fold else str
    used = {key(identifier) for identifier in taken}
    wanted = [_wanted(name, f"{otherwise}{k}", longest) for k, name in enumerate(names)]
    chosen: list[str] = [""] * len(names)
    # what needs no change comes first, so that a name that does cannot take its place
    for k in sorted(range(len(names)), key=lambda k: wanted[k] != names[k]):
        chosen[k] = next(text for text in _variants(wanted[k], longest) if key(text) not in used)
        used.add(key(chosen[k]))
    return chosen


def _wanted(name: str, otherwise: str, longest: int) -> str:
    text = reduced(name, otherwise)[:longest]
    return text[: longest - 1] + "_" if is_reserved(text) else text


def _variants(wanted: str, longest: int) -> Iterator[str]:
    """The identifier, then the same with 2, 3, ... at its end."""
    yield wanted
    for k in itertools.count(2):
        text = f"{wanted[: longest - len(str(k)) - 1]}_{k}"
        yield text + "_" * is_reserved(text)
