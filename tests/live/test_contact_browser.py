"""A page with contacts in a real browser: boxes fall and rest, and the pointer takes one of them away."""

import json

import pytest
from contact_stack import SIDE, stack

import hapsis as hs

READY = "document.getElementById('badge').textContent !== ''"
HELD = "!document.getElementById('hand').hidden"


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "stack.html"
    hs.share(stack(), path, method="contact", title="Stack")
    return path


def signal(page, name):
    return page.value(f"window.hapsis.last({json.dumps(name)})")


def test_a_box_of_a_stack_is_lifted_by_the_pointer(window, file):
    page = window.open(file)
    page.until(READY)
    page.until("window.hapsis.ticks > 300")
    assert page.value("document.getElementById('trouble').hidden")
    for k in range(3):  # they rest on each other
        assert signal(page, f"free{k}.z") == pytest.approx(SIDE * (k + 0.5), abs=2e-3)
    x, y = page.value("window.hapsis.whereIs('box2')")
    held = {"button": "left", "buttons": 1}
    page.mouse("Moved", x, y)
    page.mouse("Pressed", x, y, clickCount=1, **held)
    page.until(HELD)
    for k in range(1, 11):
        page.mouse("Moved", x, y - 10 * k, **held)
    page.until(f"window.hapsis.last('free2.z') > {2.5 * SIDE + 0.02}")
    assert signal(page, "free1.z") == pytest.approx(1.5 * SIDE, abs=5e-3)
    page.mouse("Released", x, y - 100, clickCount=1, **held)
    page.until("document.getElementById('hand').hidden")
    assert page.value("document.getElementById('trouble').hidden") and page.complaints() == []
    page.close()
