"""A whole program in C99 with phases: one module for each, and a main with the state machine.

    NAME_PHASE.c, NAME_PHASE.h    the equations of a phase, what it watches and what events do in it
    NAME.c                        the method of integration, the state machine, main
    NAME.in                       every quantity, once for all phases

An event is found at the end of a step in which its value has passed zero, and located by bisection; a value
that passes zero twice within one step is not seen, so that `integstp` must be short enough.
"""

from collections.abc import Iterable, Mapping, Sequence

from hapsis.compiler.backends.c import phase_text, program_text
from hapsis.compiler.backends.c.c import header_and_body
from hapsis.compiler.backends.c.c_program import (
    beginning,
    called,
    closing_text,
    functions_of,
    head,
    initial_file,
    memory,
    near_table,
    plain_labels,
    quantities_of,
    wrapped,
)
from hapsis.compiler.backends.c.program_facts import Phase, Program, Transition
from hapsis.compiler.backends.identifiers import unique
from hapsis.compiler.backends.interface import Entry, Interface, interface
from hapsis.compiler.ir.functions.function import Function


def phase_program(facts: Program) -> dict[str, str]:
    """{file name: text} of the program, its modules and its initialisation file."""
    names = _phase_names([phase.name for phase in facts.phases])
    modules = [
        interface([*functions_of(phase), *_resets(facts, p)], f"{facts.stem}_{names[p]}")
        for p, phase in enumerate(facts.phases)
    ]
    parameters: dict[str, float] = {}
    for module in modules:
        parameters |= {name: x for name, x in module.parameters.items() if name not in parameters}
    quantities = quantities_of(facts, parameters)
    sources = " ".join([f"{facts.stem}.c", *(f"{module.stem}.c" for module in modules)])
    included = "".join(f'#include "{module.stem}.h"\n' for module in modules)
    parts = [
        head(facts, sources) + included,
        memory(facts, quantities, len(parameters)),
        _machine(facts, names),
        _lead(facts, modules, list(parameters)),
        program_text.READING,
        program_text.INTEGRATION,
        phase_text.PHASED_RUN,
        program_text.PRINTING.replace("@STEM@", facts.stem),
    ]
    files = {f"{facts.stem}.c": "\n".join(parts)}
    for module in modules:
        header, body = header_and_body(module)
        files |= {f"{module.stem}.c": f'#include "{module.stem}.h"\n' + body, f"{module.stem}.h": header}
    return files | {f"{facts.stem}.in": initial_file(facts, quantities)}


def _phase_names(names: Sequence[str]) -> list[str]:
    """The names of modules after the stem: words of C are none there, so that `double` is kept."""
    plain = unique(names, "phase", longest=20, fold=True)
    short = [name.rstrip("_") for name in plain]
    return short if len({name.lower() for name in short}) == len(short) else plain


def _resets(facts: Program, p: int) -> list[Function]:
    """What events do in a phase, as Functions of its module."""
    mine = [each for each in facts.transitions if each.before == p]
    return [each.reset for each in mine if each.reset is not None]


def _machine(facts: Program, names: Sequence[str]) -> str:
    """The tables of events, phases and transitions."""
    count, phases, changes = len(facts.events), len(facts.phases), facts.transitions
    at_rest = {each.rest for each in changes}
    numbers = [[-1] * phases for _ in range(count)]
    for k, each in enumerate(changes):
        if k not in at_rest:
            numbers[each.event][each.before] = k
    rows = ", ".join("{" + _numbers(row) + "}" for row in numbers)
    sizes = [each.reset.n_out for each in changes if each.reset is not None]
    labels = plain_labels([event.name for event in facts.events])
    quoted = ", ".join(f'"{label}"' for label in labels)
    phase_labels = ", ".join(f'"{name}"' for name in names)
    return (
        "/* ---- the state machine ---- */\n\n"
        f"enum {{ N_EVENTS = {count}, N_CHANGES = {len(changes)}, N_RESULT = {max([4, *sizes])} }};\n"
        f"static const char *const event_names[N_EVENTS] = {{{quoted}}};\n"
        f"static const char *const phase_names[{phases}] = {{{phase_labels}}};\n"
        f"static const int event_direction[N_EVENTS] = {{{_numbers(e.direction for e in facts.events)}}};\n"
        f"static const int event_stop[N_EVENTS] = {{{_numbers(int(e.stop) for e in facts.events)}}};\n"
        "/* the change of an event in a phase, -1: it cannot happen; the phase after it, the change that\n"
        "   bounces end with, and whether it is an impact */\n"
        f"static const int change_of[N_EVENTS][{phases}] = {{{rows}}};\n"
        f"static const int phase_after[N_CHANGES] = {{{_numbers(each.after for each in changes)}}};\n"
        f"static const int rest_of[N_CHANGES] = {{{_numbers(each.rest for each in changes)}}};\n"
        f"static const int strikes[N_CHANGES] = {{{_numbers(int(each.strikes) for each in changes)}}};\n"
        f"static int phase = {facts.first}; /* in which the motion is */\n"
        "static double begun; /* when it began */\n"
    )


def _numbers(values: Iterable[int]) -> str:
    return ", ".join(map(str, values))


def _lead(facts: Program, modules: Sequence[Interface], parameters: Sequence[str]) -> str:
    """The functions that the integration calls: each asks the phase of the moment."""
    order = {name: k for k, name in enumerate(parameters)}
    lines = [near_table(facts)]
    ago = f" - {facts.since!r}" if facts.since else ""
    begin = [f"    begun = value[TINITIAL]{ago};"]
    vectors: list[str] = []
    for p, module in enumerate(modules):
        count = len(module.parameters)
        vectors.append(f"p{p}" if count else "NULL")
        if count:
            places = ", ".join(str(order[name]) for name in module.parameters)
            lines += [f"static double p{p}[{count}]; /* parameters of {module.stem} */"]
            lines += [f"static const int from{p}[{count}] = {{{places}}};", ""]
            begin.append(f"    for (k = 0; k < {count}; k++) p{p}[k] = value[FIRST_PARAMETER + from{p}[k]];")
    calls = [_entries(phase, module) for phase, module in zip(facts.phases, modules, strict=True)]
    lines += wrapped("motion", "dy", _switch(calls, vectors, "motion", "dy"))
    lines += closing_text(
        facts, _switch(calls, vectors, "closing", "closed_y", "memcpy(closed_y, y, sizeof closed_y);")
    )
    lines += wrapped("outputs", "row", _switch(calls, vectors, "columns", "row"))
    lines += wrapped("watched", "g", _switch(calls, vectors, "watched", "g"))
    lines += _reset_text(facts, modules, vectors)
    lines += beginning(begin)
    return "/* ---- the equations with the values that were read ---- */\n\n" + "\n".join(lines)


def _entries(phase: Phase, module: Interface) -> Mapping[str, Entry]:
    """The entries of a module by what they give."""
    kinds = {
        "motion": phase.motion,
        "closing": phase.closing,
        "columns": phase.columns,
        "watched": phase.watched,
    }
    return {
        kind: entry
        for kind, function in kinds.items()
        for entry in module.entries
        if entry.function is function
    }


def _switch(
    calls: Sequence[Mapping[str, Entry]], vectors: Sequence[str], kind: str, result: str, otherwise: str = ""
) -> list[str]:
    """The call of one kind in the phase of the moment."""
    lines = ["switch (phase) {"]
    for p, entries in enumerate(calls):
        body = called(entries[kind], vectors[p], result) if kind in entries else otherwise
        lines += [f"case {p}:", f"    {body}", "    break;"]
    return [*lines, "}"]


def _reset_text(facts: Program, modules: Sequence[Interface], vectors: Sequence[str]) -> list[str]:
    """The function `reset`: the result of a change; 0 where it only ends the motion."""
    lines = [
        "/* mask, gap, change of energy, and the state after a change; 0 where it only ends the motion */"
    ]
    lines += ["static int reset(int change, double t, const double *y, double *result)", "{"]
    lines += ["    switch (change) {"]
    for k, each in enumerate(facts.transitions):
        entry = _reset_entry(each, modules[each.before])
        if entry is not None:
            lines += [f"    case {k}:", f"        {called(entry, vectors[each.before], 'result')}"]
            lines += ["        return 1;"]
    unused = [f"    (void){name};" for name in ("t", "y", "result")]
    return [*lines, "    default:", "        break;", "    }", *unused, "    return 0;", "}", ""]


def _reset_entry(each: Transition, module: Interface) -> Entry | None:
    for entry in module.entries:
        if each.reset is not None and entry.function is each.reset:
            return entry
    return None
