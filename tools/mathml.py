"""Formulas as MathML, written into a page of the documentation when it is built.

Browsers draw MathML themselves, so that a page needs no script and no network. The converter is that of
docutils, which Sphinx is built on; docs/decisions/0026-formulas-are-mathml.md says why.
"""

from typing import Any

from docutils import nodes
from docutils.utils.math import MathError, latex2mathml
from sphinx.util import logging


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
        return latex2mathml.tex2mathml(node.astext().strip(), as_block=as_block)
    except MathError as error:
        logging.getLogger(__name__).warning("formula: %s", error, location=node)
        return ""
