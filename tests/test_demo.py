"""The demonstration checks itself, and its check can fail."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hapsis import demo
from hapsis.mechanics.model.result import Result


def test_the_demonstration_is_right(capsys):
    assert demo.main(check=True) == 0
    text = capsys.readouterr().out
    assert "check: energy kept, batch and single state agree" in text
    assert "dx[2] = " in text and "million steps/s" in text


def test_the_check_can_fail(capsys):
    good = np.ones((8, 4))
    fine = Result(np.zeros(1), {}, energy_drift=1e-9)
    failed, drifted = Result(np.zeros(1), {}, "energy"), Result(np.zeros(1), {}, energy_drift=1e-3)
    assert [demo.verified(1e-9, good, good[7], r) for r in (failed, drifted)] == [1, 1]
    assert demo.verified(1e-9, good, good[7], fine) == 0
    assert demo.verified(1e-3, good, good[7], fine) == 1
    assert demo.verified(float("nan"), good, good[7], fine) == 1
    assert demo.verified(1e-9, good, good[7] + 1, fine) == 1
    assert demo.verified(1e-9, good, good[7], fine, False) == 1
    assert demo.verified(1e-9, good * np.inf, good[7] * np.inf, fine) == 1
    assert "energy drifts" in capsys.readouterr().out


def test_a_page_that_is_none_is_found(tmp_path):
    (tmp_path / "page.html").write_text("not a page")
    assert not demo.is_page(tmp_path / "page.html")


def test_the_page_is_opened_where_there_is_a_display(capsys, monkeypatch):
    import hapsis as hs

    shown = []
    monkeypatch.setattr("webbrowser.open", lambda url: shown.append(url) or True)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(demo.sys, "platform", "linux")
    assert not demo.has_display()
    path = demo.page(hs, demo.has_display())
    assert shown == [] and f"open it in a browser: {path}" in capsys.readouterr().out
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    path = demo.page(hs, demo.has_display())
    assert shown == [path.as_uri()] and f"opened: {path}" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.slow
def test_where_nobody_watches_it_checks_itself(tmp_path):
    """From an empty home folder, with nothing compiled; no browser is opened, and the page stays."""
    variables = {k: v for k, v in os.environ.items() if not k.startswith("HAPSIS_")}
    variables |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "BROWSER": "false"}
    done = subprocess.run(
        [sys.executable, "-m", "hapsis", "demo"], capture_output=True, text=True, env=variables, check=False
    )
    assert done.returncode == 0 and "check: energy kept" in done.stdout and not done.stderr
    page = re.search(r"open it in a browser: (\S+\.html), 0\.\d+ MB", done.stdout)
    assert page and Path(page[1]).exists()
