"""Frame lookup: the body and the frame on it that an end refers to."""

from collections.abc import Mapping

from hapsis.errors import near, near_or_all
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.frames import IDENTITY, End, Frame, composed

MOST_HINTS = 20  # comparing a name with thousands of others is slow, so only the first errors get a hint


class FrameLookup:
    """The bodies of a model and the world, by name."""

    def __init__(self, bodies: Mapping[str, Body], world: Body) -> None:
        self.bodies, self.world, self.hints = bodies, world, MOST_HINTS

    def find(self, end: End) -> tuple[str, Frame] | None:
        """The body and the frame on it, or None where the model has no such place."""
        if isinstance(end.frame, str):
            body = self._body(end.body)
            frame = body.frames.get(end.frame) if body else None
            return (end.body, frame) if frame else None
        place = self._named(end.body)
        if place and end.frame:
            return place[0], composed(place[1], end.frame)
        return place

    def _body(self, name: str) -> Body | None:
        return self.world if name == "world" else self.bodies.get(name)

    def _named(self, name: str) -> tuple[str, Frame] | None:
        if self._body(name):
            return name, IDENTITY
        # the frames of a part of the world have a dot in their names
        for head, _, frame in (name.rpartition("."), name.partition(".")):
            body = self._body(head)
            if body and frame in body.frames:
                return head, body.frames[frame]
        return None

    def owner(self, end: End) -> str:
        """The body that the end is on even if its frame does not exist; "world" if there is none."""
        names = (end.body, end.body.rpartition(".")[0])
        return next((name for name in names if self._body(name)), "world")

    def missing(self, end: End) -> tuple[str, str]:
        """The description of what does not exist, as in `body "uper"`, and a hint at a similar name."""
        head, frame = end.body, end.frame
        if not isinstance(frame, str):
            if not self._body(head) and "." in head:
                head, _, frame = head.rpartition(".")
        body = self._body(head)
        if body and isinstance(frame, str):
            return f'frame "{frame[:60]}" of body "{head[:60]}"', self._near_or_all(
                frame, body.frames, "its frames"
            )
        if isinstance(frame, str) and not isinstance(end.frame, str):
            whole = self._near(end.body, self.bodies)
            if whole or not self._near(head, self.bodies):
                return f'body "{end.body[:60]}"', whole or self._near_or_all(head, self.bodies, "bodies")
        return f'body "{head[:60]}"', self._near_or_all(head, self.bodies, "bodies")

    def _near_or_all(self, name: str, names: Mapping[str, object], what: str) -> str:
        if self.hints <= 0:
            return ""
        if not names:
            return " (it has none)" if what == "its frames" else ""
        return self._near(name, names) or near_or_all(name, names.keys(), what)

    def _near(self, name: str, names: Mapping[str, object]) -> str:
        self.hints -= 1
        return near(name, ["world", *names]) if self.hints >= 0 else ""
