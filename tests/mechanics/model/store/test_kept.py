"""What is derived from a model is kept on disk by its structure: found again, and never for another model."""

import json
import os
import pickle
import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
import shared_models

import hapsis as hs
from hapsis.compiler.backends import cache
from hapsis.compiler.backends.llvm import background, llvm_jit
from hapsis.compiler.passes import hoist
from hapsis.mechanics.formalisms.tree import links
from hapsis.mechanics.model.checks.changed_values import with_values
from hapsis.mechanics.model.store import kept
from hapsis.mechanics.model.store.model_key import model_key

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def records(monkeypatch):
    """The names of what is kept from now on; as with an empty cache, but with the object code of before."""
    names, version, store = [], os.urandom(32), kept._store
    monkeypatch.setattr(kept, "code_version", lambda: version)
    monkeypatch.setattr(kept, "_store", lambda name, record: names.append(name) or store(name, record))
    return names


@pytest.fixture
def work(monkeypatch):
    """A list that grows with every tree posed, Function hoisted and module compiled, none of them later."""
    monkeypatch.setenv("HAPSIS_BACKGROUND", "off")
    background.settled()
    done = []
    for owner, name in ((links.Links, "__init__"), (hoist, "split"), (llvm_jit, "module_object")):
        monkeypatch.setattr(owner, name, _counted(getattr(owner, name), name, done))
    return done


def _counted(function, name, done):
    def counted(*args, **named):
        done.append(name)
        return function(*args, **named)

    return counted


def arm(length=0.5, stiffness=30.0, axis="y", tilt=0.0, law=lambda q, v, k=3.0: -k * q, gravity=9.81):
    return hs.Model(
        hs.Body(
            "upper", 2.0, (length / 2, 0, 0), (0.1, 0.2, 0.3), {"end": hs.Frame((length, 0, 0), (tilt, 0, 0))}
        ),
        hs.Body("lower", "m / 2", ("L", 0, 0), (0.1, 0.2, 0.3)),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis, damping=0.1),
        hs.Revolute("elbow", "upper.end", "lower", "z", limits=(-1.0, 1.0)),
        hs.Spring("spring", hs.WORLD.at(0.1, 0, 0.5), "lower", stiffness, 0.2, 0.1),
        hs.JointForce("motor", "elbow", law),
        hs.Contact("touch", ("lower", hs.Sphere(0.05)), hs.WORLD.plane(), friction=0.3),
        parameters={"m": 3.0, "L": 0.2},
        gravity=(0.0, 0.0, -gravity),
    )


def four_bar():
    return shared_models.four_bar()


def numbers(model):
    """Of every kind of Function, and of a motion."""
    q, v = np.full(len(model.coordinates), 0.3), np.full(len(model.speeds), 0.2)
    values = [hs.compile(hs.inverse_dynamics(model))(q, v, v), hs.compile(hs.mass_matrix(model))(q)]
    run = hs.simulate(model, 0.01, every=0.005)
    values += [run[n] for n in (*model.coordinates, *model.speeds, "energy")]
    return [np.asarray(x).tobytes() for x in values]


@pytest.mark.parametrize("make", [arm, four_bar])
def test_a_second_model_of_the_same_structure_is_not_written(records, work, make):
    first = numbers(make())
    assert "__init__" in work and "split" in work
    work.clear()
    assert numbers(make()) == first
    assert work == []


def test_other_values_are_found_and_give_the_numbers_of_a_new_start(records, work, monkeypatch):
    numbers(arm())
    work.clear()
    edited = numbers(arm(length=0.7, stiffness=31.0, gravity=1.62))
    assert work == []
    monkeypatch.setenv("HAPSIS_CACHE", "")
    assert numbers(arm(length=0.7, stiffness=31.0, gravity=1.62)) == edited


@pytest.mark.parametrize(
    "change",
    [
        {"stiffness": 0.0},
        {"axis": "x"},
        {"axis": (0.1, 1.0, 0.0)},
        {"tilt": 0.1},
        {"law": lambda q, v, k=3.0: -k * q * q},
        {"law": lambda q, v, k=3.0, c=1.0: -k * q - c * v},
        {"gravity": 0.0},
        {"length": 5000.0},  # another unit of length
    ],
)
def test_another_structure_is_written_anew(records, work, monkeypatch, change):
    assert model_key(arm(**change)).structure != model_key(arm()).structure
    numbers(arm())
    work.clear()
    changed = numbers(arm(**change))
    assert "__init__" in work
    monkeypatch.setenv("HAPSIS_CACHE", "")
    assert numbers(arm(**change)) == changed


def test_the_code_of_a_law_is_part_of_the_structure_and_its_numbers_are_not():
    def law(k, factor=1.0):
        return lambda q, v, k=k: -factor * k * q

    assert model_key(arm(law=law(2.0))).structure == model_key(arm(law=law(4.0))).structure
    assert model_key(arm(law=law(2.0))).structure != model_key(arm(law=law(2.0, 1.5))).structure
    assert model_key(arm(law=law(2.0))).values != model_key(arm(law=law(4.0))).values


def test_a_class_of_the_users_own_has_no_key():
    class Mine(hs.Revolute):
        pass

    body = hs.Body("b", 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1))
    assert model_key(hs.Model(body, Mine("j", hs.WORLD, "b", "y"))) is None
    assert model_key(hs.Model(body, hs.Revolute("j", hs.WORLD, "b", "y"))) is not None


def test_what_is_not_written_yet_can_do_all_that_a_function_can(records, work):
    right = hs.inverse_dynamics(arm())
    hs.compile(right)
    work.clear()
    found = hs.inverse_dynamics(arm())
    assert not found.written and repr(found) == repr(right)
    assert (found.n_in, found.n_out, found.parameters) == (right.n_in, right.n_out, right.parameters)
    assert hs.compile(found) is not None and not found.written and work == []
    assert str(found) == str(right) and found.written
    for same in (hs.inverse_dynamics(arm()), pickle.loads(pickle.dumps(hs.inverse_dynamics(arm())))):
        assert same.cost() == right.cost() and same.digest == right.digest
        jacobians = [hs.compile(f.jacobian("tau", "q"))(*[np.full(2, 0.3)] * 3) for f in (same, right)]
        assert np.array_equal(*jacobians)


def test_given_parameters_are_prepared_as_by_the_first_process(records, work):
    q, p = np.full(2, 0.3), {"upper.mass": 4.0, "m": 2.0}
    first = hs.compile(hs.inverse_dynamics(arm()))
    right, batch = first(q, q, q, p=p), first(np.tile(q, (5, 1)), q, q)
    background.settled()  # quick code is stored in the background
    work.clear()
    found = hs.compile(hs.inverse_dynamics(arm()))
    assert np.array_equal(found(q, q, q, p=p), right)
    assert np.array_equal(found(np.tile(q, (5, 1)), q, q), batch)
    assert work == []


def test_a_row_that_no_coordinate_changes_is_checked_for_every_value(records):
    def flat(height):
        """A planar four-bar linkage whose pins lie at two heights, which must agree."""
        bars = [hs.Body(n, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1), {"end": (0.3, 0, 0.1)}) for n in "ab"]
        return hs.Model(
            *bars,
            hs.Revolute("first", hs.WORLD, "a", "z"),
            hs.Revolute("second", hs.WORLD.at(0.4, 0, 0.02), "b", "z"),
            hs.Revolute("pin", ("a.end", hs.Frame((0, 0, 0.01))), ("b.end", hs.Frame((0, 0, height))), "z"),
        )

    hs.compile(hs.constraints(flat(-0.01)))
    assert not hs.constraints(flat(-0.01)).written
    with pytest.raises(hs.ModelError, match="can never be met"):
        hs.constraints(flat(-0.02))


def test_a_hundred_edits_of_values_write_and_compile_nothing(records, work):
    draw = random.Random(0)
    for name in ("slider_crank", "governor", "three_bar", "redundant_four_bar"):
        model = getattr(hs.library, name)()
        key, edits = model_key(model), 0
        moved(model)
        work.clear()
        names = [n for n, x in key.numbers.items() if x != 0.0]
        while edits < 25:
            one = draw.choice(names)
            new = with_values(model, {one: key.numbers[one] * draw.uniform(1.0, 1.01)})
            if new is None or model_key(new).structure != key.structure:
                continue
            edits += 1
            try:
                moved(new, run=edits % 5 == 0)
            except hs.Error as error:  # it may open a loop for good
                assert "never be met" in str(error) or "closed" in str(error), error
            assert work == [], f"{name}: {one}"


def moved(model, run=True):
    loops = [hs.constraints] if model.cuts or model.constraints else []
    for verb in (hs.inverse_dynamics, hs.forward_dynamics, *loops):
        hs.compile(verb(model))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if run:
            hs.simulate(model, 1e-4, every=1e-4)


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"signature": 1}', b"\xff", b"[" * 100_000])
def test_a_record_of_another_form_is_rebuilt_with_one_line(records, content):
    right = numbers(arm())
    for name in records:
        cache.store(name, [content])
    with pytest.warns(hs.Notice, match="rebuilt") as notices:
        assert numbers(arm()) == right
    assert all("\n" not in str(n.message) for n in notices)


def test_records_are_plain_text(records):
    numbers(arm())
    texts = [json.loads(cache.load(name)[0]) for name in records]
    assert sum("signature" in text for text in texts) >= 4


def test_random_models_have_the_same_bits_without_a_cache_with_an_empty_and_with_a_full_one():
    command = [sys.executable, str(ROOT / "tools" / "kept_bits.py"), "--count", "3", "--start", "1000"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 differences, 0 written again" in done.stdout
