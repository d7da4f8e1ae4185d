"""Takes a picture of every library model (and of robots in files) as the pages draw them.

python tools/scene_pictures.py FOLDER [NAME or FILE ...] [--dark] [--small]         needs chromium

--small writes pictures of few colours, as they are committed in docs/_static/library, and keeps no pages.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tools"), str(ROOT / "tests")]
WIDTH, HEIGHT = 960, 680
STYLE = "html, body, main { margin: 0; height: 100%; } canvas { display: block; width: 100%; height: 100%; }"
SCRIPT = """
const content = JSON.parse(document.getElementById("content").textContent);
window.marks = [performance.now()];
window.scene = new HapsisScene.Scene(document.getElementById("scene"), content.drawing);
marks.push(performance.now());
scene.update(content.poses);
marks.push(performance.now());
"""


def poses_of(model: Any, q: Any) -> list[float]:
    """Place and axes of every body, twelve numbers each."""
    from hapsis.mechanics.drawing.placement import placement

    placed = placement(model, q)
    return [x for name in model.bodies for x in (*placed[name].p, *np.ravel(placed[name].R))]


def still_page(model: Any, name: str, start: Any = None) -> str:
    """A page that shows a model at its start."""
    import hapsis as hs
    from hapsis.mechanics.drawing.drawing import drawing
    from hapsis.view import page

    if isinstance(model, hs.particles.Scene):
        content = particle_content(model)
    else:
        q = hs.assemble(model, start).q
        content = {"drawing": drawing(model, q), "poses": poses_of(model, q)}
    text = json.dumps(content, allow_nan=False).replace("<", "\\u003c")
    scripts = [page.client("scene.js"), SCRIPT]
    return page.page(name, '<main><canvas id="scene"></canvas></main>', [STYLE], scripts, {"content": text})


def particle_content(scene: Any) -> dict[str, Any]:
    """A scene of particles half a second after its start, when it has landed."""
    import hapsis as hs
    from hapsis.live.live_particles import drawn_particles

    points = np.ravel(hs.simulate(scene, until=0.5).memory.x)
    pose = [0.0, 0.0, 0.0, *np.ravel(np.eye(3))]
    poses = [x for _ in scene.objects for x in pose] + points.tolist()
    return {"drawing": drawn_particles(scene)["scene"], "poses": poses}


def models(names: list[str]) -> dict[str, Any]:
    """{name: model} of names of the library and of files; the whole library without names."""
    import hapsis as hs

    if not names:
        names = list(hs.library.__all__)
    made = {Path(n).stem: getattr(hs.library, n)() if n in hs.library.__all__ else hs.load(n) for n in names}
    return {
        name: getattr(model, "model", model) for name, model in made.items()
    }  # of a hybrid its first phase


def main() -> None:
    """Draw, open, take pictures, and print sizes and times."""
    import browser  # pyright: ignore[reportMissingImports]
    from doc_pictures import small

    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    scheme = "dark" if "--dark" in sys.argv else "light"
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    program: Any = browser.found()
    if program is None:
        raise SystemExit("there is no browser here")
    window = browser.Browser(program)
    try:
        for name, model in models(arguments[1:]).items():
            begin = time.perf_counter()
            path = folder / f"{name}.html"
            path.write_text(still_page(model, name), encoding="utf-8")
            made = time.perf_counter() - begin
            page = window.open(path, WIDTH, HEIGHT, scheme=scheme)
            page.until("scene.firstFrame > 0")
            page.value("scene.finest()")
            raw = page.picture()
            first = page.value("scene.firstFrame")
            steps = [round(x) for x in page.value("marks")]
            complaints = page.complaints()
            page.close()
            (folder / f"{name}.png").write_bytes(small(window, raw) if "--small" in sys.argv else raw)
            size = path.stat().st_size
            print(
                f"{name:24} {size / 1e3:7.0f} kB  drawn in {made:5.2f} s  first frame {first:5.0f} ms {steps}"
            )
            if "--small" in sys.argv:
                path.unlink()
            for text in complaints:
                print(f"    {text[:300]}")
    finally:
        window.close()


if __name__ == "__main__":
    main()
