"""Compares results of both speeds of code, with an empty and with a full cache, on random models, bit by bit.

    python tools/kept_bits.py --count 200 --start 0

Random trees with forces and contacts, most of them with loops, gears or drives. For each model and for
the same model with other values: dynamics, energies, rows, an assembly, a short motion. Four processes:

    good    no cache, good code from the start: what is right
    quick   no cache, quick code until the end
    cold    an empty cache, the models as they are; good code takes the place of quick code meanwhile
    warm    the cache of the third: the models as they are, and with other values

All must agree to the last bit. The last also counts what it writes, hoists and compiles for models whose
structure is known; that must be nothing.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT / "tests"), str(ROOT / "tests" / "mechanics")]
UNTIL = 0.01
MODES = ("good", "quick", "cold", "warm")
NEVER = "can never be met"  # in the error of a model whose rows are never zero


def random_model(seed: int) -> Any:
    """A random model; None where the numbers drawn make none."""
    import forces as random_forces  # pyright: ignore[reportMissingImports]
    import numpy as np

    import hapsis as hs

    draw = random.Random(seed)
    try:
        model = random_forces.model(draw, most=5, forces=4)
        facts: list[Any] = []
        bodies = list(model.bodies)
        q = model.zero + np.array([draw.uniform(-0.3, 0.3) for _ in model.coordinates]) * (model.zero == 0.0)
        if len(bodies) > 1 and draw.random() < 0.8:
            for k in range(draw.randint(1, 2)):
                first, second = draw.sample(bodies, 2)
                at = [hs.compile(hs.pose(model, name))(q).p for name in (first, second)]
                ends = [hs.End(name, hs.Frame((draw.uniform(0, 0.2), 0.0, 0.1))) for name in (first, second)]
                facts.append(hs.Distance(f"d{k}", *ends, float(np.linalg.norm(at[0] - at[1])) + 0.3))
        plain = [c for c in model.coordinates if c in model.plain and f"{c}.v" in model.speeds]
        if len(plain) > 1 and draw.random() < 0.3:
            facts.append(hs.Gear("gear", *draw.sample(plain, 2), draw.choice((2.0, -0.5, 1.3)), offset=0.1))
        elif plain and draw.random() < 0.3:
            given = draw.choice((0.2, "0.1 + 0.2 * t", lambda t: 0.1 * hs.sin(3 * t)))
            facts.append(hs.Drive("motor", draw.choice(plain), given))
        return hs.Model(model, facts) if facts else model
    except hs.Error:
        return None


def edited(model: Any, seed: int) -> Any:
    """The model with other values of some of its numbers; None where it has none that may change."""
    from hapsis.mechanics.model.checks.changed_values import with_values
    from hapsis.mechanics.model.store.model_key import model_key

    draw, key = random.Random(seed), model_key(model)
    if key is None:
        return None
    names = [name for name, x in key.numbers.items() if abs(x) > 1e-3]
    for _ in range(20):
        some = draw.sample(names, min(len(names), draw.randint(1, 4)))
        new = (
            with_values(model, {n: key.numbers[n] * draw.uniform(1.0, 1.05) for n in some}) if some else None
        )
        new_key = None if new is None else model_key(new)
        if new_key is not None and new_key.structure == key.structure:
            return new
    return None


def results(model: Any) -> dict[str, str]:
    """{what was computed: a hash of its numbers, or its error}."""
    import numpy as np

    import hapsis as hs

    draw = np.random.default_rng(1)
    q = model.zero + draw.uniform(-0.5, 0.5, len(model.coordinates)) * (model.zero == 0.0)
    v, a, tau = (draw.normal(size=len(model.speeds)) for _ in range(3))
    known = {"q": q, "v": v, "a": a, "tau": tau}

    def called(verb: Any) -> Any:
        f = hs.compile(verb(model))
        ports = [port.name for port in f.function.inputs]
        return f(**{n: known[n] for n in ports if n in known})

    def state(s: Any) -> Any:
        return [s.q, s.v]

    def motion() -> Any:
        r = hs.simulate(model, UNTIL, every=UNTIL / 10, most_steps=2000, progress=False)
        return [r[n] for n in (*model.coordinates, *model.speeds)]

    programs = {verb.__name__: (lambda verb=verb: called(verb)) for verb in VERBS(hs)}
    programs |= {"assemble": lambda: state(hs.assemble(model)), "simulate": motion}
    return {name: _hash(program) for name, program in programs.items()} | {"partition": partition(model)}


def partition(model: Any) -> str:
    """The independent speeds at the assembled pose: with other ones other equations are written."""
    import hapsis as hs

    try:
        return repr(hs.assemble(model).report.independent)
    except hs.Error as error:
        return type(error).__name__


def VERBS(hs: Any) -> tuple[Any, ...]:
    """The verbs that write a Function of q, v, ..."""
    return hs.forward_dynamics, hs.inverse_dynamics, hs.mass_matrix, hs.energy, hs.constraints


def _hash(program: Any) -> str:
    import numpy as np

    import hapsis as hs

    try:
        numbers = program()
    except hs.Error as error:
        return f"{type(error).__name__}: {str(error)[:80]}"
    parts = numbers if isinstance(numbers, list | tuple) else [numbers]
    flat = [np.ascontiguousarray(part, dtype=float) + 0.0 for part in parts]
    return hashlib.sha256(b"".join(part.tobytes() for part in flat)).hexdigest()[:16]


class Work:
    """Counts posed trees, hoisted Functions and compiled modules."""

    def __init__(self) -> None:
        from hapsis.compiler.backends.llvm import llvm_jit
        from hapsis.compiler.passes import hoist
        from hapsis.mechanics.formalisms.tree import links

        self.count = 0
        for owner, name in ((links.Links, "__init__"), (hoist, "split"), (llvm_jit, "module_object")):
            setattr(owner, name, self._counted(getattr(owner, name)))

    def _counted(self, function: Any) -> Any:
        def counted(*args: Any, **named: Any) -> Any:
            self.count += 1
            return function(*args, **named)

        return counted


def run(mode: str, start: int, count: int) -> dict[str, Any]:
    """The results of one process."""
    warnings.simplefilter("ignore")
    if mode == "quick":
        from hapsis.compiler.backends.llvm import background

        background.submit = lambda job: None
    work, report = Work(), dict[str, Any]()
    for seed in range(start, start + count):
        model = random_model(seed)
        if model is None:
            continue
        before = work.count
        report[f"{seed}"] = results(model)
        report[f"{seed} work"] = work.count - before
        if mode != "cold" and (new := edited(model, seed)) is not None:
            before = work.count
            report[f"{seed} edited"] = results(new)
            report[f"{seed} edited work"] = work.count - before
    return report


def compare(start: int, count: int) -> int:
    """Runs the four processes; the number of differences."""
    with tempfile.TemporaryDirectory() as folder:
        reports: dict[str, Any] = {}
        for mode in MODES:
            cache = folder if mode in ("cold", "warm") else ""
            speed = "off" if mode == "good" else "on"
            command = [sys.executable, __file__, "--mode", mode, "--start", f"{start}", "--count", f"{count}"]
            environment = {**os.environ, "HAPSIS_CACHE": cache, "HAPSIS_BACKGROUND": speed}
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
            reports[mode] = json.loads(done.stdout)
    right, wrong, written = reports["good"], 0, 0
    for mode in MODES[1:]:
        for name, expected in right.items():
            if name.endswith("work") or name not in reports[mode]:
                continue
            for what, value in expected.items():
                if reports[mode][name][what] != value:
                    wrong += 1
                    print(f"{mode}: model {name}, {what}: {reports[mode][name][what]} instead of {value}")
    for name, amount in reports["warm"].items():
        if not name.endswith("work") or not amount:
            continue
        of, before = right[name.removesuffix(" work")], right[name.split()[0]]
        # what is refused is not kept; another partition has other equations
        if NEVER not in str(of) and of["partition"] == before["partition"]:
            written += 1
            print(f"warm: model {name.removesuffix(' work')}: {amount} things were written or compiled again")
    models = [name for name in right if " " not in name]
    loops = sum("no loops" not in right[name]["constraints"] for name in models)
    others = sum(name.endswith("edited") for name in right)
    print(f"{len(models)} models, {loops} with loops, {others} with other values: ", end="")
    print(f"{wrong} differences, {written} written again")
    return wrong + written


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--mode", choices=MODES, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.mode is None:
        return int(compare(given.start, given.count) > 0)
    print(json.dumps(run(given.mode, given.start, given.count)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
