"""The page of a study: text, facts, figures; one file in the look of our other pages."""

import html
import json
from datetime import date
from typing import Any

from hapsis import __version__
from hapsis.view import page, svg
from hapsis.view.page_text import escaped, plain

STYLE = """
:root { --ground: #f7f6f3; --panel: #fffefb; --ink: #22252a; --quiet: #63686f; --line: #d9d6cf;
  --bad: #b3261e; --good: #2f7d4f; color-scheme: light dark; }
@media (prefers-color-scheme: dark)  { :root { --ground: #16181c; --panel: #1d2025; --ink: #e8e6e1;
  --quiet: #a2a6ad; --line: #353941; --bad: #ff8a80; --good: #74c797; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 920px; margin: 0 auto; padding: 36px 20px 60px; }
h1 { margin: 0 0 6px; font-size: 26px; font-weight: 600; line-height: 1.25; }
h2 { margin: 32px 0 6px; font-size: 16px; font-weight: 600; }
p { margin: 0 0 10px; max-width: 46em; }
.lead, figcaption, th, .where { color: var(--quiet); }
figure { margin: 26px 0; padding: 10px 10px 12px; background: var(--panel); border: 1px solid var(--line);
  border-radius: 10px; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { margin: 8px 8px 0; font-size: 14px; line-height: 1.45; }
.hapsis-plot .paper { fill: var(--panel); }
.facts { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; font-variant-numeric: tabular-nums; }
th { font-weight: 400; text-align: left; }
th, td { padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.value { white-space: nowrap; } td.met { color: var(--good); } td.unmet { color: var(--bad); }
@media print { body { background: #fff; } main { padding: 0; } }
"""
REFERENCES = {
    "Docquier": "N. Docquier, S. Timmermans and P. Fisette, Haptic devices based on real-time dynamic models "
    "of multibody systems, Sensors 21(14), 2021"
}
LONGEST = 4000  # characters of a paragraph


def text(study: Any) -> str:
    """The page as HTML text."""
    drawings = [figure.plot.drawing for figure in study.figures]
    pictures = [
        f"<figure>{drawing.svg}<figcaption>{_text(figure.caption)}</figcaption></figure>"
        for drawing, figure in zip(drawings, study.figures, strict=True)
    ]
    parts = [f"<h1>{escaped(study.title)}</h1>", f'<p class="lead">{_text(study.asked)}</p>']
    parts += pictures[:1]
    parts += _section("What is known", study.reference) + _section("What the model shows", study.found)
    parts += _facts(study.facts) + pictures[1:] + _section("What it does not reproduce", study.missing)
    words = "\n".join((study.asked, study.reference, study.found, study.missing))
    words += "\n".join(figure.caption for figure in study.figures)
    named = [f"[{key}] {article}" for key, article in REFERENCES.items() if f"[{key}]" in words]
    parts += _section("References", "\n\n".join(named))
    made = f"hapsis study {study.name} · hapsis {__version__} · {date.today().isoformat()}"
    parts.append(f'<p class="where">{escaped(made)}</p>')
    readings = json.dumps([d.readings for d in drawings], allow_nan=False).replace("<", "\\u003c")
    scripts = [page.client("plot.js")] if drawings else []
    body = f"<main>{''.join(parts)}</main>"
    return page.page(study.title, body, [svg.STYLE, STYLE], scripts, {"readings": readings})


def _section(title: str, words: str) -> list[str]:
    return [f"<h2>{title}</h2>", *(f"<p>{_text(p)}</p>" for p in words.split("\n\n"))] if words else []


def _facts(facts: Any) -> list[str]:
    if not facts:
        return []
    rows = []
    for fact in facts:
        mark = ("met", "within") if fact.met else ("unmet", "outside")
        told = (f'<td class="{mark[0]}">{mark[1]}</td>') if fact.expected else "<td></td>"
        rows.append(
            f'<tr><td>{escaped(fact.name)}</td><td class="value">{escaped(fact.shown)}</td>'
            f'<td class="value">{escaped(fact.expected)}</td>{told}</tr>'
        )
    head = "<tr><th>fact</th><th>value</th><th>expected</th><th></th></tr>"
    return [f'<div class="facts"><table>{head}{"".join(rows)}</table></div>']


def _text(words: str) -> str:
    return html.escape(plain(words, LONGEST), quote=True)
