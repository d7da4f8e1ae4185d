"""What the shared page of a model offers, as a part of the model."""

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Annotated, Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.page.press import Press
from hapsis.mechanics.model.page.sound import Sound
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.values import Table

AsRanges = Annotated[Any, "names, or {name: (low, high), (low, high, unit) or (low, high, unit, words)}"]
AsSounds = Annotated[Any, "{contact: Sound}"]
AsNames = Annotated[Any, "names of signals"]
WHOLE = ("energy", "t")  # signals of a whole model


@verb
@frozen
class Page:
    """What `share` offers on the page of a model where its own arguments say nothing: `Model(..., page=...)`.

    title       of the page
    rate        Hz of the step; `method` and `substeps` are those of `stepper`
    parameters  names that get a slider, or {name: (low, high)}; a unit and words may follow the two numbers
    inputs      the same for efforts and drives
    outputs     signals that get a curve
    press       a finger
    sounds      {contact: Sound}
    follow      whether the camera moves along, with what walks or rides away
    """

    title: str | None = None
    rate: float | None = None
    method: str | None = None
    substeps: int | None = None
    parameters: AsRanges = None
    inputs: AsRanges = None
    outputs: AsNames = None
    press: Press | None = None
    sounds: AsSounds = None
    follow: bool | None = None

    def __post_init__(self) -> None:
        for name in ("title", "method"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ModelError(f"page: {name} must be a text, not {described(value)}")
        if self.rate is not None:
            object.__setattr__(self, "rate", real(self.rate, "page: rate"))
        if self.substeps is not None and (type(self.substeps) is not int or self.substeps < 1):
            raise ModelError("page: substeps must be a whole number above 0")
        if self.follow is not None and not isinstance(self.follow, bool):  # pyright: ignore
            raise ModelError(f"page: follow must be True or False, not {described(self.follow)}")
        if self.press is not None and not isinstance(self.press, Press):  # pyright: ignore
            raise ModelError(f"page: press must be an hs.Press, not {described(self.press)}")
        for name in ("parameters", "inputs"):
            object.__setattr__(self, name, _ranges(getattr(self, name), f"page: {name}"))
        object.__setattr__(self, "outputs", _names(self.outputs))
        object.__setattr__(self, "sounds", _sounds(self.sounds))

    def merged(self, other: "Page | None") -> "Page":
        """Both pages in one: the sliders, curves and sounds of both, and of the rest what comes first."""
        if other is None:
            return self
        own = {name: getattr(self, name) for name in _FIELDS}
        theirs = {name: getattr(other, name) for name in _FIELDS}
        kept = {name: theirs[name] if own[name] is None else own[name] for name in _FIELDS}
        for name in ("parameters", "inputs", "sounds"):
            if own[name] is not None and theirs[name] is not None:
                kept[name] = {**theirs[name], **own[name]}
        if own["outputs"] is not None and theirs["outputs"] is not None:
            kept["outputs"] = tuple(dict.fromkeys((*own["outputs"], *theirs["outputs"])))
        return Page(**kept)

    def without(self, names: Container[str]) -> "Page":
        """The page of a model without the facts of these names."""
        press, sounds = self.press, self.sounds
        if press is not None and (_body(press) in names or (press.instead_of or "") in names):
            press = None
        if sounds is not None:
            sounds = {
                contact: replace(sound, damped_by=None) if sound.damped_by in names else sound
                for contact, sound in sounds.items()
                if contact not in names
            }
        return replace(self, press=press, sounds=sounds)

    def prefixed(self, prefix: str) -> "Page":
        """The page with `prefix.` before every name."""

        def renamed(table: Any) -> Any:
            return None if table is None else {f"{prefix}.{name}": x for name, x in table.items()}

        press = self.press
        if press is not None:
            end = End.of(press.at)
            drive = press.instead_of and f"{prefix}.{press.instead_of}"
            press = replace(press, at=End(f"{prefix}.{end.body}", end.frame), instead_of=drive)
        sounds = None
        if self.sounds is not None:
            sounds = {
                f"{prefix}.{contact}": replace(s, damped_by=s.damped_by and f"{prefix}.{s.damped_by}")
                for contact, s in self.sounds.items()
            }
        outputs = self.outputs and [n if n in WHOLE else f"{prefix}.{n}" for n in self.outputs]
        changed: Any = {"parameters": renamed(self.parameters), "inputs": renamed(self.inputs)}
        return replace(self, press=press, sounds=sounds, outputs=outputs, **changed)


_FIELDS = tuple(Page.__dataclass_fields__)


def _body(press: Press) -> str:
    """The body that a finger presses; a frame may stand behind its name."""
    return End.of(press.at).body.partition(".")[0]


def _ranges(x: Any, what: str) -> Table[tuple[Any, ...]] | None:
    """{name: its range, empty where none is given}."""
    if x is None:
        return None
    if isinstance(x, str) or not isinstance(x, Iterable):
        raise ModelError(f"{what} must be names or {{name: (low, high)}}, not {described(x)}")
    pairs = x.items() if isinstance(x, Mapping) else ((name, ()) for name in x)
    given: dict[str, tuple[Any, ...]] = {}
    for name, limits in pairs:
        if not isinstance(name, str):
            raise ModelError(f"{what} must be names, not {described(name)}")
        given[name] = range_of(f"{what}: {name[:60]}", limits)
    return Table(given)


def range_of(what: str, limits: Any) -> tuple[Any, ...]:
    """A range as a tuple: nothing, or low, high, and perhaps a unit and words."""
    if limits is None or limits == ():
        return ()
    if not isinstance(limits, tuple | list) or not 2 <= len(limits) <= 4:
        raise ModelError(
            f"{what} is {described(limits)}", expected="(low, high), perhaps with a unit and words"
        )
    low, high, *texts = limits
    if not all(isinstance(text, str) for text in texts):
        raise ModelError(f"{what}: unit and words must be texts, not {described(texts)}")
    return (real(low, f"{what}: low"), real(high, f"{what}: high"), *texts)


def checked_page(x: Any) -> Page:
    """The page that a Model is given."""
    if not isinstance(x, Page):
        raise ModelError(f"page must be an hs.Page, not {described(x)}")
    return x


def _names(x: Any) -> tuple[str, ...] | None:
    if x is None:
        return None
    if isinstance(x, str) or not isinstance(x, Iterable) or not all(isinstance(n, str) for n in x):
        raise ModelError(f"page: outputs must be names of signals, not {described(x)}")
    return tuple(x)


def _sounds(x: Any) -> Table[Sound] | None:
    if x is None:
        return None
    if not isinstance(x, Mapping) or not all(isinstance(s, Sound) for s in x.values()):
        raise ModelError(f"page: sounds must be {{contact: hs.Sound}}, not {described(x)}")
    return Table(x)
