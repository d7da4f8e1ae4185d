"""Problems: all errors of a model, collected before one exception reports them together."""

import re

from hapsis.errors import ModelError, one_line


class InvalidModel(ModelError):
    """A model with problems: the message shows the first that was found, `problems` has a line for each.

    Those of a file are in the order of its lines, others behind them in the order of the checks.
    """

    def __init__(self, problems: "Problems") -> None:
        what, where = problems.found[0]
        more = f" (and {len(problems.found) - 1} more)" if len(problems.found) > 1 else ""
        super().__init__(what + more, where=where)
        in_order = sorted(problems.found, key=lambda problem: _place(problem[1]))
        self.problems = tuple(_line(what, where) for what, where in in_order)


class Problems:
    """A list of problems, and one of warnings."""

    def __init__(self, physical: bool) -> None:
        self.found: list[tuple[str, str | None]] = []
        self.warnings: list[str] = []
        self.physical = physical

    def add(self, what: str, where: str | None = None) -> None:
        """Adds an error."""
        self.found.append((what, where))

    def impossible(self, what: str, where: str | None = None) -> None:
        """Adds an error about a physically impossible number; a warning where `physical` is False."""
        if self.physical:
            self.add(what, where)
        else:
            self.warn(what, where)

    def warn(self, what: str, where: str | None = None) -> None:
        """Adds a warning."""
        self.warnings.append(_line(what, where))

    def tell(self) -> None:
        """Raises InvalidModel if there are errors."""
        if self.found:
            raise InvalidModel(self)


def _place(where: str | None) -> tuple[bool, int, int]:
    """A key that sorts `file:line:column`; what has no line comes last."""
    line = re.search(r":(\d+):(\d+)$", where or "")
    return (False, int(line[1]), int(line[2])) if line else (True, 0, 0)


def _line(what: str, where: str | None) -> str:
    return one_line(f"{where}: {what}" if where else what)
