"""Problems: all errors of a model, collected before one exception reports them together."""

from hapsis.errors import ModelError, one_line


class InvalidModel(ModelError):
    """A model with problems: the message shows the first, `problems` has a line for each."""

    def __init__(self, problems: "Problems") -> None:
        what, where = problems.found[0]
        more = f" (and {len(problems.found) - 1} more)" if len(problems.found) > 1 else ""
        super().__init__(what + more, where=where)
        self.problems = tuple(_line(what, where) for what, where in problems.found)


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


def _line(what: str, where: str | None) -> str:
    return one_line(f"{where}: {what}" if where else what)
