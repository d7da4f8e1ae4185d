"""Classes made by `frozen` behave as those of `dataclasses.dataclass(frozen=True)` do."""

import copy
import dataclasses
import inspect
import pickle
import random

import pytest

from hapsis.compiler.ir.graph.immutable import frozen

NAMES = ("a", "b", "c", "d", "e")


def fields_of(draw):
    """Random annotations and defaults of a class: plain ones first without, then with a default."""
    space, defaults = {"__annotations__": {}}, False
    for name in draw.sample(NAMES, draw.randint(0, 5)):
        space["__annotations__"][name] = draw.choice((int, "float", tuple))
        options = {k: draw.random() < 0.5 for k in ("compare", "repr") if draw.random() < 0.4}
        if draw.random() < 0.3:
            options["kw_only"] = True
        if draw.random() < 0.4 or (defaults and not options.get("kw_only")):
            options |= {"default_factory": list} if draw.random() < 0.3 else {"default": draw.randint(0, 3)}
            defaults |= not options.get("kw_only")
        if options:
            space[name] = dataclasses.field(**options)
    if draw.random() < 0.3:
        space["__post_init__"] = lambda self: object.__setattr__(self, "after", 1)
    if draw.random() < 0.2:
        space["__repr__"] = lambda self: "own"
    if draw.random() < 0.2:
        space["__eq__"] = lambda self, other: self is other
    return space


def two_classes(space, bases=((), ())):
    made = []
    for decorator, parents in zip((frozen, dataclasses.dataclass(frozen=True)), bases, strict=True):
        made.append(decorator(type("Example", parents, copy.deepcopy(space))))
    return made


def outcome(action):
    """What an action gives, or the kind of error that it raises."""
    try:
        return action()
    except Exception as error:
        return type(error)


def same(ours, theirs, draw):
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    names = [f.name for f in dataclasses.fields(ours)]
    assert names == [f.name for f in dataclasses.fields(theirs)]
    values = {name: draw.choice((1, 2, (1,), "x")) for name in names if draw.random() < 0.9}
    others = {name: draw.choice((1, 2)) for name in names}
    one, two = (outcome(lambda cls=cls: cls(**values)) for cls in (ours, theirs))
    if isinstance(one, type) or isinstance(two, type):
        assert one is two
        return
    assert repr(one) == repr(two)
    assert vars(one) == vars(two)
    for look in (hash, dataclasses.asdict, lambda x: x == type(x)(**others), lambda x: x == copy.copy(x)):
        assert outcome(lambda look=look: look(one)) == outcome(lambda look=look: look(two))
    for name in (*names, "new"):
        for change in (lambda x, n=name: setattr(x, n, 1), lambda x, n=name: delattr(x, n)):
            assert outcome(lambda c=change: c(one)) is outcome(lambda c=change: c(two))
            assert outcome(lambda c=change: c(one)) is dataclasses.FrozenInstanceError
    if names:
        changed = {names[0]: 7}
        assert vars(dataclasses.replace(one, **changed)) == vars(dataclasses.replace(two, **changed))


@pytest.mark.parametrize("seed", range(200))
def test_the_same_as_a_dataclass(seed):
    draw = random.Random(seed)
    space = fields_of(draw)
    pair = outcome(lambda: two_classes(space))
    if pair is TypeError:  # a field without a default behind one with: both refuse
        return
    same(*pair, draw)
    more = {"__annotations__": {"z": int}, "z": 5}
    same(*two_classes(more, tuple((cls,) for cls in pair)), draw)
    # a dataclass may extend one of ours, as those of programs do
    child = dataclasses.dataclass(frozen=True)(type("Child", (pair[0],), copy.deepcopy(more)))
    same(child, dataclasses.dataclass(frozen=True)(type("Child", (pair[1],), copy.deepcopy(more))), draw)


@frozen
class Kept:
    """A class that pickle can find."""

    x: int
    y: tuple = ()


def test_pickle_and_match():
    assert pickle.loads(pickle.dumps(Kept(1, (2,)))) == Kept(1, (2,))
    match Kept(3):
        case Kept(x, y):
            assert (x, y) == (3, ())


def test_what_dataclass_cannot_extend_is_still_refused():
    with pytest.raises(TypeError, match="frozen"):
        dataclasses.dataclass(type("Child", (Kept,), {"__annotations__": {"z": int}, "z": 1}))
