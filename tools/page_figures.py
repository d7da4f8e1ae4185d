"""Figures of live pages in a browser: size, first tick, first frame, real time, from pointer to picture.

    python tools/page_figures.py [NAME ...] [--seconds 60]

Names are models of the library; without a name the slider-crank. Chromium with software rendering.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

import hapsis as hs

sys.path.append(str(Path(__file__).parents[1] / "tests"))
import browser

OPENINGS = 6
STARTED = "(window.hapsis?.firstTick ?? 0) > 0 && (window.hapsis?.scene?.firstFrame ?? 0) > 0"
# times of moves, and of the first picture drawn after the worker has answered each
WATCH = """(() => {
  const page = window.hapsis, scene = page.scene, taken = [], done = [];
  let goal = null;
  const say = page.say.bind(page), show = page.show.bind(page), draw = scene.draw.bind(scene);
  page.say = (message) => {
    if (message.kind === "move") taken.push([performance.now(), message.goal[0]]);
    say(message);
  };
  page.grip.say = page.say;
  page.show = (frame) => { goal = frame.hand?.goal[0] ?? null; show(frame); };
  scene.draw = () => {
    draw();
    while (taken.length && taken.some(([, x]) => x === goal)) {
      const [began, x] = taken.shift();
      done.push(performance.now() - began);
      if (x === goal) break;
    }
  };
  window.latencies = done;
})()"""


def started(window: browser.Browser, path: Path) -> tuple[browser.Page, dict[str, float]]:
    """The page, and when its first tick and first frame came, in ms after its start: the medians of some
    openings, behind one that starts the browser's own processes."""
    times: list[list[float]] = []
    for _ in range(OPENINGS):
        page = window.open(path)
        page.until(STARTED)
        times.append(page.value("[window.hapsis.firstTick, window.hapsis.scene.firstFrame]"))
        page.close()
    tick, frame = (round(statistics.median(column)) for column in zip(*times[1:], strict=True))
    page = window.open(path)
    page.until(STARTED)
    return page, {"first_tick_ms": tick, "first_frame_ms": frame}


def real_time(page: browser.Page, seconds: float) -> float:
    """Seconds of the motion for each second of the clock."""
    ask = "[window.hapsis.ticks * window.hapsis.content.dt, performance.now() / 1000]"
    before = page.value(ask)
    time.sleep(seconds)
    after = page.value(ask)
    return (after[0] - before[0]) / (after[1] - before[1])


def latency(page: browser.Page) -> dict[str, float]:
    """From a move of the pointer that holds a body to the picture that shows its answer."""
    page.click("#play")
    page.until("document.getElementById('play').textContent === 'Play'")
    page.click("#reset")
    page.until("window.hapsis.ticks === 0")
    page.settle()
    body = page.value("window.hapsis.content.handles[0].body")
    x, y = page.value(f"window.hapsis.whereIs({json.dumps(body)})")
    held = {"button": "left", "buttons": 1}
    page.mouse("Moved", x, y)
    page.mouse("Pressed", x, y, clickCount=1, **held)
    page.until("!document.getElementById('hand').hidden")
    page.value("window.hapsis.say({ kind: 'play', on: true })")
    page.value(WATCH)
    for k in range(60):
        page.mouse("Moved", x + k % 20, y - k % 15, **held)
        time.sleep(0.03)
    page.settle()
    times = sorted(page.value("window.latencies"))
    page.mouse("Released", x, y, clickCount=1, **held)
    return {"median_ms": round(statistics.median(times)), "worst_ms": round(times[-1]), "moves": len(times)}


def main() -> None:
    """Prints a line of figures for each model."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["slider_crank"])
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    program = browser.found()
    if program is None:
        raise SystemExit("there is no chromium on this machine")
    window = browser.Browser(program)
    with tempfile.TemporaryDirectory() as folder:
        for name in options.names:
            path = Path(folder) / f"{name}.html"
            hs.share(getattr(hs.library, name)(), path)
            page, figures = started(window, path)
            figures["size_kB"] = round(path.stat().st_size / 1e3)
            figures["real_time"] = round(real_time(page, options.seconds), 4)
            print(name, json.dumps(figures | {"pointer_to_picture": latency(page)}))
            page.close()
    window.close()


if __name__ == "__main__":
    main()
