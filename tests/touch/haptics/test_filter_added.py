"""A new filter is one file: written here, imported, used over a record and in a loop, removed."""

import importlib.util
import sys

import numpy as np
import pytest
from hand import Hand, crank_step

import hapsis as hs
from hapsis.touch.haptics.conditioning.stage import rows
from hapsis.touch.realtime.loop import Loop

RATE = 1000.0
FILTER = '''
"""A velocity that forgets: the mean of all differences, each older one with a smaller weight."""

import numpy as np

from hapsis.compiler.native import Array, native, record
from hapsis.touch.haptics.conditioning.gaps import SampledFilter, StepMemory


@record
class ForgettingMemory(StepMemory):
    alpha: float
    period: float
    before: float
    velocity: float


@native
def forget(t: Array, x: Array, y: Array, own: ForgettingMemory) -> None:
    if not own.started:
        own.before, own.velocity, own.started = x[0], 0.0, True
    own.velocity += own.alpha * ((x[0] - own.before) / own.period - own.velocity)
    own.before = x[0]
    y[0] = own.velocity


class Forgetting(SampledFilter):
    inputs, outputs = ("position",), ("velocity",)

    def __init__(self, period, alpha):
        self.period, self.alpha = period, alpha
        self.delays = {"velocity": period * (1.0 / alpha - 0.5)}

    def step(self):
        return forget, ForgettingMemory(alpha=self.alpha, period=self.period)

    def response(self):
        weights = self.alpha / self.period * (1.0 - self.alpha) ** np.arange(400)
        return np.diff(weights, prepend=0.0)[:, None, None]
'''


@pytest.fixture
def forgetting(tmp_path):
    """The class Forgetting of a file that is gone afterwards."""
    path = tmp_path / "forgetting_filter.py"
    path.write_text(FILTER)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    yield module.Forgetting
    del sys.modules[path.stem]
    path.unlink()


def test_over_a_record(forgetting):
    stage = forgetting(1 / RATE, 0.2)
    t = np.arange(300) / RATE
    x = 2.0 * t
    x[50:60] = np.nan  # joined by a straight line
    v = stage.apply(t, x)
    assert v[200:] == pytest.approx(2.0) and v[49] == v[59]
    impulse = stage.apply(t, np.eye(1, 300, 1)[0])[1:]
    assert impulse == pytest.approx(stage.response()[:299, 0, 0], abs=1e-9)
    slow = np.empty(300)
    rows.python(stage.kernel(), 300, 1, 1, t, x, slow)
    assert slow.tobytes() == v.tobytes()


def test_in_a_row_with_others(forgetting):
    stage, low = forgetting(1 / RATE, 0.2), hs.haptics.LowPass(1 / RATE, 50.0)
    both = hs.haptics.Filters(stage, low)
    t, x = np.arange(200) / RATE, np.random.default_rng(1).normal(size=200)
    assert both.apply(t, x).tobytes() == low.apply(t, stage.apply(t, x)).tobytes()
    assert both.delay == stage.delay + low.delay


def test_in_a_loop(forgetting):
    stage = forgetting(1 / RATE, 0.2)
    device = hs.haptics.Conditioned(Hand(0.0, 0.2, 0.3, measures=("position",)), stage)
    loop = Loop(crank_step(RATE), RATE, paced=False).connect(device)
    loop.run(0.2)
    report = loop.report()
    expected = stage.apply(report["t"], report["hand.x.position"])
    assert np.array_equal(report["hand.velocity"], expected, equal_nan=True)
    assert np.abs(expected[-50:]).max() > 0.1
