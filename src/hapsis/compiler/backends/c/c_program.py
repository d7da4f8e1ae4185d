"""A whole program in C99 around Functions: it reads an initialisation file, integrates and writes columns.

    NAME.c     the equations as functions, the method of Kutta and Merson, and main
    NAME.in    every quantity with its value, unit and meaning; change it and run again, without a compiler

A program knows a state y, what is held in u, parameters p, and Functions of (t, y, u) by what they give. Of
several phases each has a module of its own, NAME_PHASE.c and NAME_PHASE.h, and main leads from one to
another (see `c_phases`). Memory is static, and nothing but the C library is needed.
"""

import re
from collections.abc import Mapping, Sequence

from hapsis.compiler.backends.c import program_text as texts
from hapsis.compiler.backends.c.c import header_and_body
from hapsis.compiler.backends.c.c_dialect import Precision
from hapsis.compiler.backends.c.program_facts import Phase, Program, Quantity
from hapsis.compiler.backends.identifiers import unique
from hapsis.compiler.backends.interface import Entry, interface
from hapsis.compiler.ir.functions.function import Function

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.\[\]-]{0,79}\Z", re.ASCII)  # names that are written as they are
OPTIONS = ("tinitial", "tfinal", "integstp", "printint", "abserr", "relerr")
literal = Precision("f64").literal


OPTION_FACTS = {
    "tinitial": ("s", "time of the start"),
    "tfinal": ("s", "time of the end"),
    "integstp": ("s", "longest step of the integration; with both tolerances 0 the length of all steps"),
    "printint": ("s", "time between two rows of the output file"),
    "abserr": ("", "absolute error allowed in a step"),
    "relerr": ("", "relative error allowed in a step"),
}


def program(facts: Program) -> dict[str, str]:
    """{file name: text} of the program and its initialisation file."""
    if facts.events or len(facts.phases) != 1:
        from hapsis.compiler.backends.c.c_phases import phase_program

        return phase_program(facts)
    phase = facts.phases[0]
    shared = interface(functions_of(phase), facts.stem)
    quantities = quantities_of(facts, shared.parameters)
    declared, body = header_and_body(shared)
    calls = {entry.function.name: entry for entry in shared.entries}
    parts = [
        head(facts, f"{facts.stem}.c"),
        "\n/* ---- the equations ---- */\n\n" + _declarations(declared) + "\n" + body,
        memory(facts, quantities, len(shared.parameters)),
        _lead(facts, calls, len(shared.parameters)),
        texts.READING,
        texts.INTEGRATION,
        texts.PLAIN_RUN,
        texts.PRINTING.replace("@STEM@", facts.stem),
    ]
    return {f"{facts.stem}.c": "\n".join(parts), f"{facts.stem}.in": initial_file(facts, quantities)}


def functions_of(phase: Phase) -> list[Function]:
    """Those of a phase that there are."""
    every = (phase.motion, phase.closing, phase.columns, phase.watched)
    return [function for function in every if function is not None]


def quantities_of(facts: Program, parameters: Mapping[str, float]) -> list[tuple[str, str, Quantity]]:
    """(kind, label, Quantity) of all numbers of the file, in the order of its lines.

    A label is the name where that is plain, else reduced to letters, digits and underscores.
    """
    rows: list[tuple[str, Quantity]] = [
        ("option", Quantity(name, facts.options[name], *OPTION_FACTS[name], least=_least(name)))
        for name in OPTIONS
    ]
    for name, stored in parameters.items():
        rows.append(("parameter", facts.parameters.get(name, Quantity(name, stored))))
    rows += [("input", quantity) for quantity in facts.inputs]
    rows += [("start", quantity) for quantity in facts.state]
    labels = plain_labels([quantity.name for _, quantity in rows])
    return [(kind, label, quantity) for (kind, quantity), label in zip(rows, labels, strict=True)]


def _least(option: str) -> float:
    return -1.7e308 if option in ("tinitial", "tfinal") else 0.0


def plain_labels(names: Sequence[str]) -> list[str]:
    """A word for each name, all different: the name itself where it is plain."""
    taken = {name for name in names if PLAIN.match(name)}
    if len(taken) < sum(1 for name in names if PLAIN.match(name)):  # two kinds of one name
        return unique(list(names), "quantity")
    others = [name for name in names if name not in taken]
    reduced = iter(unique(others, "quantity", taken=taken))
    return [name if name in taken else next(reduced) for name in names]


def head(facts: Program, sources: str) -> str:
    """The comment at the begin of the program, and what it includes."""
    state = [
        f"     y[{k}]  {_plain(quantity.name)}{_in_unit(quantity.unit)}"
        for k, quantity in enumerate(facts.state)
    ]
    state.append(f"     y[{len(facts.state)}]  work done so far by all that is not conservative, J")
    about = _plain(facts.about)
    return texts.HEAD.format(stem=facts.stem, about=about, sources=sources, state="\n".join(state))


def memory(facts: Program, quantities: Sequence[tuple[str, str, Quantity]], n_p: int) -> str:
    """The tables of quantities and columns."""
    first = len(OPTIONS)
    places = f"FIRST_INPUT = {first + n_p}, FIRST_STATE = {first + n_p + len(facts.inputs)}"
    rows = (f'    {{"{label}", {literal(quantity.least)}}},\n' for _, label, quantity in quantities)
    return texts.MEMORY.format(
        n_y=len(facts.state) + 1,
        n_u=len(facts.inputs),
        n_columns=len(facts.columns),
        n_quantities=len(quantities),
        places=places,
        quantities="".join(rows),
        columns="".join(f'    "{label}",\n' for label in plain_labels(facts.columns)),
    )


def called(entry: Entry, p: str, result: str) -> str:
    """The call of an entry at t, y and u."""
    known = {"t": "&t", "y": "y", "u": "u", "near": "near", "begun": "&begun"}
    given = [known[port.name] for port in entry.function.inputs]
    return f"{entry.name}({', '.join([*given, p, result])});"


def _lead(facts: Program, calls: Mapping[str, Entry], n_p: int) -> str:
    """The functions that the integration calls, of one phase."""
    phase = facts.phases[0]
    p = "value + FIRST_PARAMETER" if n_p else "NULL"
    lines = [near_table(facts)]
    lines += wrapped("motion", "dy", [called(calls[phase.motion.name], p, "dy")])
    closing = [] if phase.closing is None else [called(calls[phase.closing.name], p, "closed_y")]
    lines += closing_text(facts, closing)
    lines += wrapped("outputs", "row", [called(calls[phase.columns.name], p, "row")])
    lines += beginning([])
    return "/* ---- the equations with the values that were read ---- */\n\n" + "\n".join(lines)


def beginning(more: Sequence[str]) -> list[str]:
    """The function `begin`, which puts the values that were read where they belong."""
    return [
        "static void begin(double *y)",
        "{",
        "    int k;",
        *more,
        "    for (k = 0; k < N_U; k++) u[k] = value[FIRST_INPUT + k];",
        "    for (k = 0; k + 1 < N_Y; k++) y[k] = value[FIRST_STATE + k];",
        "}",
        "",
    ]


def near_table(facts: Program) -> str:
    """The flags of contacts that are computed: all of them."""
    ones = ", ".join(["1"] * facts.near)
    return f"static const double near[{facts.near}] = {{{ones}}};\n" if facts.near else ""


def wrapped(name: str, result: str, body: Sequence[str]) -> list[str]:
    """A function of t and y."""
    head = f"static void {name}(double t, const double *y, double *{result})"
    return [head, "{", *(f"    {line}" for line in ("(void)t;", *body)), "}", ""]


def closing_text(facts: Program, body: Sequence[str]) -> list[str]:
    """The function `closed`: quaternions get length 1, then loops and speeds are closed by these lines."""
    lines = ["/* makes a state consistent */", "static void closed(double t, double *y)", "{"]
    if facts.quaternions:
        at = ", ".join(map(str, facts.quaternions))
        lines += [
            f"    static const int turns[] = {{{at}}};",
            "    size_t j;",
            "    int k;",
            "    for (j = 0; j < sizeof turns/sizeof turns[0]; j++) {",
            "        double *x = y + turns[j], size = sqrt(x[0]*x[0] + x[1]*x[1] + x[2]*x[2] + x[3]*x[3]);",
            "        for (k = 0; k < 4; k++) x[k] /= size;",
            "    }",
        ]
    if body:
        lines += ["    {", "        double closed_y[N_Y];", *(f"        {line}" for line in body)]
        lines += ["        memcpy(y, closed_y, sizeof closed_y);", "    }"]
    return [*lines, "    (void)t;", "    (void)y;", "}", ""]


def initial_file(facts: Program, quantities: Sequence[tuple[str, str, Quantity]]) -> str:
    """The text of the initialisation file."""
    titles = {"option": "time and accuracy", "parameter": "parameters", "input": "held inputs"}
    titles["start"] = "values at the start"
    lines = [f"# {facts.stem}.in: what {facts.stem} reads. A line is a quantity, its value in SI units, and"]
    lines += ["# remarks that are not read: unit and meaning. Every quantity is given once."]
    width = max(len(label) for _, label, _ in quantities)
    before = ""
    for kind, label, quantity in quantities:
        if kind != before:
            lines += ["", f"# ---- {titles[kind]}"]
            before = kind
        meaning = quantity.meaning
        if label != quantity.name:
            meaning = f"{quantity.name}; {meaning}" if meaning else quantity.name
        remark = f"{_plain(quantity.unit) or '-':<8} {_plain(meaning)}"
        lines.append(f"{label:<{width}}  {literal(quantity.value):<24} {remark}".rstrip())
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    """Printable ASCII on one line that ends no comment."""
    words = text.replace("²", "^2").replace("³", "^3").replace("*/", "* /").replace("/*", "/ *")
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in words)[:200]


def _in_unit(unit: str) -> str:
    return f", {_plain(unit)}" if unit else ""


def _declarations(header: str) -> str:
    """The declarations of a header, without its guards."""
    start = header.index("/* places in p") if "/* places in p" in header else header.index("/* t:")
    return header[start : header.rindex("\n#ifdef __cplusplus")]
