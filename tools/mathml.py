"""Formulas as MathML, written into a page of the documentation when it is built.

Browsers draw MathML themselves, so that a page needs no script and no network. The converter is that of
docutils, which Sphinx is built on; docs/decisions/0026-formulas-are-mathml.md says why.
"""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.util import logging

# TeX takes one character as an argument; docutils takes a whole number: 1/2 from \\frac12 needs braces
FRACTION = re.compile(r"(\\[td]?frac)\s*(\w)\s*(?:(\w)|(?={))")
ACCENT = re.compile(
    r"(\\(?:d?dot|hat|tilde|bar)\s*(?:\\[a-zA-Z]+|\w|\{[^{}]*\}))(?=_)"
)  # its index stands beside
SCRIPT = re.compile(r"([\^_])(\d)(?=[\d.])")


def inline(writer: Any, node: Any) -> None:
    """Writes a formula of a line."""
    writer.body.append(converted(node, as_block=False))
    raise nodes.SkipNode


def block(writer: Any, node: Any) -> None:
    """Writes a formula that stands by itself."""
    writer.body.append(f'<div class="formula">{converted(node, as_block=True)}</div>\n')
    raise nodes.SkipNode


def converted(node: Any, as_block: bool) -> str:
    """The formula of a node; one that cannot be converted is a warning with its place."""
    try:
        return latex2mathml.tex2mathml(with_braces(node.astext().strip()), as_block=as_block)
    except MathError as error:
        logging.getLogger(__name__).warning("formula: %s", error, location=node)
        return ""


def with_braces(formula: str) -> str:
    """The formula with braces around arguments of one character."""

    def fraction(match: re.Match[str]) -> str:
        below = f"{{{match[3]}}}" if match[3] else ""
        return f"{match[1]}{{{match[2]}}}{below}"

    return SCRIPT.sub(r"\1{\2}", ACCENT.sub(r"{\1}", FRACTION.sub(fraction, formula)))
