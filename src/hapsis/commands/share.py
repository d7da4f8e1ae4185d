"""`hapsis share`: a page that computes the motion of a model."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hapsis.commands.files import model_of, moving, scene_of
from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import print_lines
from hapsis.commands.simulate import pairs
from hapsis.errors import Error, one_line
from hapsis.live.share import share
from hapsis.mechanics.model.page.press import Press
from hapsis.mechanics.model.page.sound import Sound
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.view.page import open_page


def run(
    file: str,
    out: str,
    opened: bool,
    options: Mapping[str, Any],
    base: str,
    physical: bool,
    report: Report | None = None,
) -> None:
    """Writes the page to `out` if that is given, and opens it if `opened`; `options` are those of `share`,
    start and near as texts NAME=VALUE."""
    if not out and not opened:
        raise Error("--no-open without --out leaves nothing to do", remedy="add --out page.html")
    scene = scene_of(file)
    model: Any = moving(file, base, physical) if scene is None else scene
    warnings = () if scene is not None else model.warnings
    if report is None:
        print_lines("warning", warnings)
    given = {name: value for name, value in options.items() if value not in (None, "")}
    if "press" in given:
        given["press"] = finger(given["press"])
    if "sounds" in given:
        given["sounds"] = dict(map(sound, given["sounds"]))
    for name in ("start", "near"):
        if name in given:
            given[name] = pairs(model_of(model), given[name], f"--{name}")
    page = share(model, out or None, **{"title": _title(model, file), **given})
    path = Path(out) if out else page.show()
    size = path.stat().st_size
    if report is not None:
        report |= {"page": str(path), "bytes": size, "warnings": warnings}
    else:
        print(f"{'wrote' if out else 'shown:'} {one_line(str(path))}, {size / 1e6:.2g} MB")
    if out and opened:
        open_page(path)


def finger(text: str) -> Press | bool:
    """The finger of `--press "key.finger, along=-y, force=8"`; False of `--press none`."""
    at, *rest = text.split(",")
    if at.strip() == "none" and not rest:
        return False
    options = _options(rest, "--press", ("along", "force", "depth", "speed", "most", "instead_of"))
    words: Any = {name: options.pop(name) for name in ("along", "instead_of") if name in options}
    numbers: Any = {name: _number(value, f"--press: {name}") for name, value in options.items()}
    return Press(at.strip(), **words, **numbers)


def sound(text: str) -> tuple[str, Sound]:
    """The contact and the sound of `--sound "string=A4, damped_by=damper"`."""
    first, *rest = text.split(",")
    contact, equals, note = (part.strip() for part in first.partition("="))
    if not (contact and equals and note):
        raise Error(f'--sound "{text[:60]}" names no note', expected="CONTACT=NOTE")
    note = _number(note, "--sound: note") if note[0].isdigit() else note
    damper: Any = _options(rest, "--sound", ("damped_by",))
    return contact, Sound(note, **damper)


def _options(texts: list[str], option: str, known: tuple[str, ...]) -> dict[str, str]:
    """{name: value} of the texts NAME=VALUE behind the first one of an option."""
    values: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or name not in known or not value:
            raise Error(f'{option}: "{text.strip()[:60]}" is not known', expected=f"{'=, '.join(known)}=")
        values[name] = value
    return values


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Error(f'{what}: "{text[:60]}" is no number') from None


def _title(moved: Any, file: str) -> str | None:
    """The name of a file, unless the page of its model has a title."""
    if isinstance(moved, Scene):
        return file.replace("_", " ").capitalize()
    model = model_of(moved)
    return None if model.page is not None and model.page.title is not None else Path(file).stem
