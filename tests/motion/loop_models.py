"""Small mechanisms with loops, for tests of their motion."""

import hashlib

import numpy as np

import hapsis as hs


def rows_at(model, result, k):
    """The rows of a model, their Jacobian and the speeds, at one row of a result."""
    q, v = (np.array([result[n][k] for n in names]) for names in (model.coordinates, model.speeds))
    f = hs.constraints(model)
    time = {"t": result.t[k]} if any(port.name == "t" for port in f.inputs) else {}
    return hs.compile(f)(q, v, **time), q, v


def digest(result, names=None):
    """Of every bit of every column."""
    found = hashlib.sha256(result.t.tobytes())
    for name in result.names if names is None else names:
        found.update(name.encode() + np.ascontiguousarray(result[name]).tobytes())
    return found.hexdigest()
