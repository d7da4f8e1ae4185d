"""`hapsis cache`: what is kept on disk from one process to the next."""

from hapsis.compiler.backends import cache as disk
from hapsis.errors import ModelError, near

ACTIONS = ("clear",)


def cache(action: str) -> None:
    """Prints the folder, its entries and bytes; with "clear" it removes them."""
    if action not in ("", *ACTIONS):
        raise ModelError(
            f'hapsis cache has no action "{action[:60]}"{near(action, ACTIONS)}', expected="clear"
        )
    folder, count, total = disk.clear() if action else disk.contents()
    if folder is None:
        print("nothing is kept: there is no cache folder (see HAPSIS_CACHE)")
        return
    entries = f"{count} {'entry' if count == 1 else 'entries'}, {total / 2**20:.1f} MB"
    print(f"{folder}: {'removed ' if action else ''}{entries}")
