"""`hapsis bench contacts`: scenes that touch, slide and rest, against MuJoCo and Drake."""

from hapsis.bench.contacts.contacts_benchmark import SCENES
from hapsis.bench.contacts.contacts_benchmark import report as report
from hapsis.bench.contacts.contacts_benchmark import run as run

QUICK = ("stack 3",)  # what is measured with --quick


def names() -> tuple[str, ...]:
    """The scenes."""
    return tuple(SCENES)
