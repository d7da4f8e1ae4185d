"""The tables of `hapsis bench dynamics`, and the list of what must be reached."""

from typing import Any

Row = dict[str, Any]
TITLES = {
    "inverse": "inverse dynamics",
    "mass": "mass matrix",
    "forward": "forward dynamics",
    "inverse_derivatives": "derivatives of inverse dynamics",
    "forward_derivatives": "derivatives of forward dynamics",
}
COLUMNS = {  # heading: contender
    "ours": "ours",
    "batch": "ours_batch",
    "f32": "ours_batch_f32",
    "far batch": "ours_batch_far",
    "python": "ours_python",
    "pinocchio": "pinocchio",
    "pin python": "pinocchio_python",
    "mujoco": "mujoco",
    "casadi C": "casadi",
}
RATIOS = {  # heading: rival over ours
    "x pin": ("pinocchio", "ours"),
    "x muj": ("mujoco", "ours"),
    "x cas": ("casadi", "ours"),
    "batch x pin": ("pinocchio", "ours_batch"),
    "f32 x pin": ("pinocchio", "ours_batch_f32"),
}
PER_CALL = {"inverse": (8.0, 2.5), "forward": (8.0, 2.5), "mass": (5.0, 2.5)}
IN_BATCH = {"inverse": 40.0, "forward": 40.0, "mass": 19.0}
DERIVATIVES = {"panda": 6.0, "talos": 4.0}
MOONSHOT = 100.0


def ratio(figures: Row, rival: str, ours: str) -> float | None:
    """How many times faster we are, or None where one of the two is missing."""
    seconds = figures.get("seconds", {})
    if rival in seconds and ours in seconds:
        return seconds[rival] / seconds[ours]
    return None


def targets(result: Row) -> list[Row]:
    """Each figure to reach: what, wanted, reached (None: not measured), ok."""
    models = {row["name"]: row["quantities"] for row in result["models"]}
    rows: list[Row] = []

    def at_least(what: str, goal: float, reached: float | None) -> None:
        ok = None if reached is None else reached >= goal
        rows.append({"what": what, "wanted": goal, "reached": reached, "least": True, "ok": ok})

    def at_most(what: str, goal: float, reached: float | None) -> None:
        ok = None if reached is None else reached <= goal
        rows.append({"what": what, "wanted": goal, "reached": reached, "least": False, "ok": ok})

    for robot in ("panda", "talos"):
        for quantity, (pinocchio, casadi) in PER_CALL.items():
            figures = models.get(robot, {}).get(quantity, {})
            name = f"{robot}, {TITLES[quantity]}"
            at_least(f"{name}: x Pinocchio", pinocchio, ratio(figures, "pinocchio", "ours"))
            at_least(f"{name}: x CasADi C", casadi, ratio(figures, "casadi", "ours"))
            part = 1.0 if figures.get("lanes", 8) >= 8 else 0.5  # half of it without AVX-512
            reached = ratio(figures, "pinocchio", "ours_batch")
            at_least(f"{name}, batch: x Pinocchio", part * IN_BATCH[quantity], reached)
    figures = models.get("general 100", {}).get("mass", {})
    at_least("general 100, mass matrix: x Pinocchio", 1.0, ratio(figures, "pinocchio", "ours"))
    for robot, goal in DERIVATIVES.items():
        figures = models.get(robot, {}).get("inverse_derivatives", {})
        name = f"{robot}, {TITLES['inverse_derivatives']}"
        at_least(f"{name}: x Pinocchio", goal, ratio(figures, "pinocchio", "ours"))
    _times(result, models, at_most)
    return rows


def _times(result: Row, models: Row, at_most: Any) -> None:
    """Targets of generation and compilation."""
    kernels = [
        (row["speeds"], figures["ours"])
        for row in result["models"]
        for quantity, figures in row["quantities"].items()
        if "ours" in figures and not quantity.endswith("derivatives")
    ]
    small = [facts for speeds, facts in kernels if speeds <= 46]
    per = [1e6 * facts["compile_s"] / facts["flops"] for _, facts in kernels if facts["flops"] > 1e3]
    at_most("compile, us per operation", 20.0, max(per, default=None))
    worst = max((facts["compile_s"] for facts in small), default=None)
    at_most("compile, up to 40 joints, s", 0.2, worst)
    reloads = [1e3 * facts["again_s"] for facts in small]
    at_most("from the cache, up to 40 joints, ms", 5.0, max(reloads, default=None))
    chain = models.get("general 100", {})
    both = [chain.get(q, {}).get("ours", {}).get("generation_s") for q in ("inverse", "forward")]
    reached = None if None in both else sum(both)
    at_most("general 100, generation of inverse + forward dynamics, s", 1.0, reached)
    at_most("400 joints, generation of forward dynamics, s", 5.0, result.get("long_chain_s"))


def text(result: Row) -> str:
    """Tables, targets, notes."""
    lines = ["dynamics: microseconds per call, one core"]
    for quantity, title in TITLES.items():
        if table := _table(result, quantity):
            lines += ["", title, *table]
    lines += [
        "",
        "ours, milliseconds: generation, compilation (one state, batch),"
        " again from the cache, of which loading",
    ]
    for row in result["models"]:
        for quantity, figures in row["quantities"].items():
            if facts := figures.get("ours"):
                times = [facts[k] for k in ("generation_s", "compile_s", "batch_compile_s")]
                times += [facts["again_s"], facts["reload_s"]]
                cells = "".join(f"{1e3 * x:10.1f}" for x in times)
                lines.append(f"  {row['name']:12s} {TITLES[quantity]:32s}{cells}")
    lines += ["", "must reach"]
    for target in result["targets"]:
        lines.append(_target(target))
    moon = _moonshot(result)
    if moon is not None:
        lines.append(f"  moonshot: {MOONSHOT:g}x Pinocchio per core in f32: best {moon:.0f}x")
    return "\n".join([*lines, *(f"note: {note}" for note in result["notes"])])


def _table(result: Row, quantity: str) -> list[str]:
    rows = [(r["name"], r["quantities"].get(quantity, {})) for r in result["models"]]
    present = {name for _, figures in rows for name in figures.get("seconds", {})}
    columns = {head: name for head, name in COLUMNS.items() if name in present}
    ratios = {h: pair for h, pair in RATIOS.items() if present.issuperset(pair)}
    if not columns:
        return []
    heads = [*columns, *ratios, "ops mul/add", "casadi ops"]
    lines = ["  " + " " * 12 + "".join(f"{head:>12s}" for head in heads)]
    for name, figures in rows:
        seconds, facts = figures.get("seconds", {}), figures.get("ours")
        cells = [f"{1e6 * seconds[c]:.3f}" if c in seconds else "-" for c in columns.values()]
        for pair in ratios.values():
            times = ratio(figures, *pair)
            cells.append("-" if times is None else f"{times:.1f}")
        cells.append(f"{facts['mul']}/{facts['add']}" if facts else "-")
        cells.append(str(figures.get("casadi_flops", "-")))
        lines.append(f"  {name:12s}" + "".join(f"{cell:>12s}" for cell in cells))
    return lines


def _target(target: Row) -> str:
    sign = ">=" if target["least"] else "<="
    if target["reached"] is None:
        state = "not measured"
    else:
        state = f"{target['reached']:8.2f}   {'yes' if target['ok'] else 'NO'}"
    return f"  {target['what']:60s} {sign} {target['wanted']:<6g} {state}"


def _moonshot(result: Row) -> float | None:
    """The best ratio in 32 bits."""
    ratios = [
        times
        for row in result["models"]
        for figures in row["quantities"].values()
        if (times := ratio(figures, "pinocchio", "ours_batch_f32")) is not None
    ]
    return max(ratios, default=None)
