"""`hapsis cache`: what is kept on disk from one process to the next."""

from hapsis.commands.json_report import Report
from hapsis.compiler.backends import cache as disk
from hapsis.errors import ModelError, near

ACTIONS = ("clear",)


def cache(action: str, report: Report | None = None) -> None:
    """Prints the folder, its entries and bytes; with "clear" it removes them."""
    if action not in ("", *ACTIONS):
        raise ModelError(
            f'hapsis cache has no action "{action[:60]}"{near(action, ACTIONS)}', expected="clear"
        )
    here = disk.clear() if action else disk.contents()
    if report is not None:
        folder = None if here.problem else str(here.folder)
        report |= {"folder": folder, "entries": here.count, "bytes": here.bytes, "removed": bool(action)}
        report |= {"problem": here.problem} if here.problem else {}
        return
    if here.problem:
        print(f"nothing is kept: {here.problem}")
        return
    entries = f"{here.count} {'entry' if here.count == 1 else 'entries'}, {here.bytes / 2**20:.1f} MB"
    print(f"{here.folder}: {'removed ' if action else ''}{entries}")
