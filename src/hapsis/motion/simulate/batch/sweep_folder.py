"""The folder in which the finished rows of a sweep are kept, part by part.

    _sweep.json      what the sweep is (see `sweep_key`)
    _lock            held by the process that writes here
    part-*.parquet   rows, by pyarrow; part-*.npz where that is not installed

A part is written under a temporary name and renamed, so it is complete or not there. Each part carries a
digest of its rows: a damaged one is named, and its runs are made again. Names that begin with "_" are
skipped by programs that read a folder of Parquet as one table.
"""

import contextlib
import hashlib
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.errors import ModelError, notice
from hapsis.mechanics.model.result_files import whole
from hapsis.motion.simulate.batch.part_files import DAMAGED, read_part, write_part
from hapsis.motion.simulate.batch.sweep_batch import BatchRows
from hapsis.motion.simulate.batch.sweep_plan import SweepPlan

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

FACTS, LOCK, TEMPORARY = "_sweep.json", "_lock", "_new-"
FORMAT = 1


class SweepFolder:
    """A folder that is open for one sweep; a context, which ends with its `close`."""

    def __init__(self, path: str | os.PathLike[str], key: dict[str, str], plan: SweepPlan) -> None:
        self.path, self.plan = Path(path), plan
        self.key = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as problem:
            text = "is a file" if self.path.is_file() else problem.strerror
            raise ModelError(f"{self.path}: cannot keep a sweep here: {text}", expected="a folder") from None
        try:
            self._take()
            self._compare(key)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "SweepFolder":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def close(self) -> None:
        """Lets other processes write here."""
        os.close(self._lock)

    def _take(self) -> None:
        """Locks the folder; an error where another process has it."""
        if fcntl is not None:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ModelError(
                    f"{self.path}: another sweep writes into this folder", remedy="give another folder"
                ) from None
            except OSError:  # a file system without locks
                pass
        for left in self.path.glob(f"{TEMPORARY}*"):  # of a process that was killed
            with contextlib.suppress(OSError):
                left.unlink()

    def _compare(self, key: dict[str, str]) -> None:
        """Checks that the folder is of this sweep; a new one becomes so."""
        path = self.path / FACTS
        if not path.exists():
            others = [entry.name for entry in os.scandir(self.path) if entry.name != LOCK]
            if others:
                raise ModelError(
                    f'{self.path}: the folder has "{min(others)[:60]}" in it, and no sweep',
                    expected="a new folder, or that of the same sweep",
                )
            text = json.dumps({"hapsis sweep": FORMAT, "key": key, "runs": self.plan.count}, indent=1)
            whole(path, lambda temporary: _write_text(temporary, text), TEMPORARY)
            return
        try:
            facts = json.loads(path.read_text())
            old = dict(facts["key"]) if facts["hapsis sweep"] == FORMAT else None
        except (OSError, ValueError, KeyError, TypeError):
            old = None
        if old is None:
            raise ModelError(f"{path}: is damaged, or of another version", remedy="give another folder")
        other = [what for what in key if old.get(what) != key[what]] or [w for w in old if w not in key]
        if other:
            raise ModelError(
                f"{self.path}: the folder is of another sweep: {', '.join(other)} "
                f"{'differs' if len(other) == 1 else 'differ'}",
                remedy="give another folder, or remove this one",
            )

    def parts(self) -> list[BatchRows]:
        """The rows of all parts that are there and sound."""
        parts: list[BatchRows] = []
        for path in sorted(self.path.glob("part-*")):
            try:
                rows, digest = read_part(path, self.plan)
            except DAMAGED as problem:
                self._say(path, str(problem))
                continue
            if digest != self._digest(rows):
                self._say(path, "its digest is another")
                continue
            parts.append(rows)
        return parts

    def _say(self, path: Path, problem: str) -> None:
        notice(f"{path}: is damaged ({problem[:100]}): its runs are made again")
        with contextlib.suppress(OSError):
            path.unlink()

    def write(self, rows: BatchRows) -> None:
        """Keeps the rows of a batch."""
        digest = self._digest(rows)
        name = f"part-{int(rows.numbers[0]):09d}-{digest[:8]}"
        write_part(self.path / name, rows, self.plan, digest, TEMPORARY)

    def _digest(self, rows: BatchRows) -> str:
        """Of all that is in the rows, and of the sweep that they are of."""
        digest = hashlib.sha256(self.key.encode())
        digest.update(np.asarray(rows.numbers, "<i8").tobytes() + np.asarray(rows.lengths, "<i8").tobytes())
        for name, values in rows.measured.items():
            digest.update(name.encode() + np.asarray(values, "<f8").tobytes())
        digest.update(json.dumps([rows.status, rows.message, sorted(rows.units.items())]).encode())
        return digest.hexdigest()


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
