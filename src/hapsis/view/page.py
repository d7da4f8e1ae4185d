"""A page in one file, which may run and load only what it holds; hashes in the page enforce it."""

import base64
import hashlib
import os
import secrets
import tempfile
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib import resources
from pathlib import Path

from hapsis.errors import Error, notice
from hapsis.view.page_text import escaped


def client(*names: str) -> str:
    """The text of files of the client, one after the other."""
    folder = resources.files("hapsis.view") / "client"
    return "\n".join((folder / name).read_text(encoding="utf-8") for name in names)


def page(
    title: str,
    body: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    data: Mapping[str, str] | None = None,
    computes: bool = False,
) -> str:
    """The text of an HTML page under a policy that allows its own styles and scripts only.

    The policy lists the SHA-256 of each style and script; nothing else is run, and no request
    goes anywhere. `data` are texts by element id, in blocks that no browser runs; they must not
    hold "<". A page that `computes` may also compile WebAssembly and start a worker of its own.
    """
    more = (" 'wasm-unsafe-eval'", "; worker-src blob:") if computes else ("", "")
    policy = (
        f"default-src 'none'; style-src {_hashes(styles)}; script-src {_hashes(scripts)}{more[0]}; "
        f"img-src data:; base-uri 'none'; form-action 'none'{more[1]}"
    )
    blocks = []
    for name, text in (data or {}).items():
        if "<" in text:
            raise ValueError(f'the data block "{name}" holds "<"')
        blocks.append(f'<script type="text/plain" id="{name}">{text}</script>')
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            '<link rel="icon" href="data:,">',
            f"<title>{escaped(title)}</title>",
            *(f"<style>{style}</style>" for style in styles),
            "</head>",
            "<body>",
            body,
            *blocks,
            *(f"<script>{script}</script>" for script in scripts),
            "</body>",
            "</html>",
            "",
        ]
    )


def _hashes(texts: Sequence[str]) -> str:
    codes = [base64.b64encode(hashlib.sha256(t.encode()).digest()).decode() for t in texts]
    return " ".join(f"'sha256-{code}'" for code in codes) or "'none'"


def written(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """Write a file, whole or not at all, and return its path; missing folders are made."""
    target = Path(path)
    new = target.with_name(f".{target.name}.{secrets.token_hex(6)}")
    raw = content.encode() if isinstance(content, str) else content
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with new.open("xb") as file:
            file.write(raw)
        new.replace(target)
    except OSError as problem:
        with suppress(OSError):
            new.unlink()
        raise Error(
            f"{target.name[:80]} cannot be written: {problem.strerror or problem}",
            where=str(target.parent)[:200],
        ) from None
    return target


def suffix_of(path: str | os.PathLike[str], allowed: Sequence[str]) -> str:
    """The ending of a file name, which must be one of those allowed."""
    suffix = Path(path).suffix.lower()
    if suffix not in allowed:
        raise Error(
            f'"{Path(path).name[:80]}" cannot be saved: its ending says no known kind of file',
            expected=f"a name ending with {' or '.join(allowed)}",
        )
    return suffix


def shown(name: str, html: str) -> Path:
    """Write a page into a new private temporary folder and open it in the browser.

    The file stays there: the browser may read it after this program has ended. Where there is no
    browser, a notice says where the page is.
    """
    path = written(Path(tempfile.mkdtemp(prefix="hapsis-")) / name, html)
    open_page(path)
    return path


def open_page(path: Path) -> None:
    """Open a page in the browser; a notice where there is none, as on a machine without a display."""
    try:
        opened = webbrowser.open(path.resolve().as_uri())
    except (webbrowser.Error, OSError):
        opened = False
    if not opened:
        notice(f"no browser could be opened: the page is {path}")
