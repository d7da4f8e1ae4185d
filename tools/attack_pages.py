"""Pages that compute against the step in Python, on many models: parameters changed between ticks.

python tools/attack_pages.py [NAME ...]

Each model of the tests and of the library becomes a page, whose worker runs in Node. After every few ticks
one parameter gets another value; the states must be those of a step in Python whose parameters are changed
at the same ticks. What differs is printed, and how many were compared.
"""

import json
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

import hapsis as hs

WORKER = Path(hs.__file__).parent / "view" / "client" / "worker.js"
TICKS, EVERY = 60, 6
PROGRAM = """
const { readFileSync } = require("node:fs");
eval(readFileSync(process.argv[2], "utf8"));
const { content, changes, ticks } = JSON.parse(readFileSync(process.argv[3], "utf8"));
(async () => {
  const s = await globalThis.hapsis.Simulation.create(content);
  const rows = [];
  for (let k = 0; k < ticks; k++) {
    for (const [at, place, value] of changes) if (at === k) s.set(place, value);
    s.tick();
    if (s.trouble) break;
    rows.push({ state: s.stepCall.inputs.slice(0, content.states).map((x) => [...x]), signals: s.signals() });
  }
  console.log(JSON.stringify({ rows, trouble: s.trouble, way: s.way }));
})();
"""


def page_motion(content, changes):
    """The states and signals of a page, tick by tick, with parameters that are set before a tick."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "page.cjs").write_text(PROGRAM)
        data = {"content": content, "changes": changes, "ticks": TICKS}
        (Path(folder) / "data.json").write_text(json.dumps(data))
        command = ["node", "page.cjs", str(WORKER), "data.json"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def own_motion(model, dt, changes, options):
    """The same by the step in Python."""
    step = hs.stepper(model, dt, **options)
    call = hs.compile(step, contract=False)
    names = [port.name for port in step.inputs]
    count = names.index("t") + 1
    state = [np.asarray(port.stand_in, float) for port in step.inputs[:count]]
    values = dict(step.parameters)
    rows = []
    for k in range(TICKS):
        values |= {name: value for at, name, value in changes if at == k and name in values}
        state = [*call(*state, p=values)[:count]] if values else [*call(*state)[:count]]
        rows.append(state)
    return rows


def attack(name, model, rng, **options):
    """One line about a model: what differs, or how close the two motions are."""
    rate = float(rng.choice([200.0, 1000.0, 5000.0]))
    step = hs.stepper(model, 1.0 / rate, **options)
    chosen = [*rng.permutation([*step.parameters])[: TICKS // EVERY]] if step.parameters else []
    content = hs.share(model, rate=rate, parameters=chosen, **options).content
    places = {entry["name"]: entry["place"] for entry in content["parameters"]}
    factors = 1.0 + 0.02 * rng.uniform(-1.0, 1.0, len(chosen))
    values = [step.parameters[n] * factor or 1e-3 for n, factor in zip(chosen, factors, strict=True)]
    changes = [(EVERY * k, n, value) for k, (n, value) in enumerate(zip(chosen, values, strict=True))]
    page = page_motion(content, [(k, places[n], value) for k, n, value in changes])
    own = own_motion(model, 1.0 / rate, changes, options)
    worst = 0.0
    for row, state in zip(page["rows"], own, strict=False):
        for x, y in zip(row["state"], state, strict=True):
            y = np.ravel(y)
            worst = max(worst, float(np.max(np.abs(np.array(x) - y) / (1.0 + np.abs(y)), initial=0.0)))
    facts = f"{len(page['rows'])} ticks, way {page['way']}, {len(chosen)} parameters"
    return f"{name:28} {facts}: {worst:.1e} {page['trouble']}"


def main(wanted):
    """Print one line for each model."""
    sys.path.append(str(Path(__file__).parents[1] / "tests"))
    from model_samples import models

    every = dict(models())
    every |= {name: getattr(hs.library, name) for name in hs.library.MODELS if "car" not in name}
    for k, (name, model) in enumerate(every.items()):
        if wanted and name not in wanted:
            continue
        rng = np.random.default_rng(k)
        try:
            method = str(rng.choice(["rk4", "euler"]))
            print(attack(name, model() if callable(model) else model, rng, method=method))
        except hs.Error as refused:
            print(f"{name:28} refused: {str(refused)[:150]}")
        sys.stdout.flush()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(sys.argv[1:])
