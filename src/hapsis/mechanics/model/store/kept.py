"""Functions and other data derived from a model, kept on disk from one process to the next.

    kept(model, key, write)        the Function that `write` writes, without writing it if it is known
    kept_data(model, key, make)    what `make` returns, as plain JSON
    kept_of(function, key, make)   the same for what follows from a Function

An entry is found by the structure of the model, the key and the version of this code (see `model_key`
and `code_version`); it holds the Function's signature, the names of its parameters, how these are
prepared, and the digest by which the object code is found. The values of the parameters are those of
the model at hand. A Function with a parameter that is no number of the model's table is kept under all
values of the model instead. So nothing depends on a value that has been changed.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any

from hapsis.compiler.backends import cache as disk
from hapsis.compiler.backends.call.parameter_rows import set_rows
from hapsis.compiler.backends.code_version import code_version, is_current
from hapsis.compiler.backends.number_interpreter import NumberRows
from hapsis.compiler.ir.functions.activity import Activity
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.signature import Signature, signature_of
from hapsis.compiler.passes.parts import set_split
from hapsis.errors import CompileError, notice
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.model_key import ModelKey, model_key

Record = Mapping[str, Any]
WRONG = (KeyError, IndexError, TypeError, ValueError, AttributeError)  # of a record of another form


def kept(model: Model, key: Any, write: Callable[[], Function | None]) -> Function | None:
    """The Function that `write` writes; unwritten, where an earlier process has compiled it.

    key    what tells it from other Functions of the model: texts and numbers with a unique `repr`
    """
    own = model_key(model)
    if own is None or not code_version():
        with Activity("writing equations"):
            return write()
    for name, numbers in _names(own, key):
        record = _loaded(name)
        if record is None:
            continue
        if record.get("none"):
            return None
        try:
            return _function(name, record, numbers, write)
        except WRONG:
            notice(f"cache entry {name[:12]} is of another form: rebuilt")
    with Activity("writing equations"):
        function = write()
    if function is None:
        _store(_names(own, key)[0][0], {"none": True})
        return None
    if (
        function.kept_as is None
        and function.written
        and not forms_by_values(model)
        and own is model_key(model)
    ):
        known = all(own.numbers.get(name) == x for name, x in function.parameters.items())
        function.kept_as = _names(own, key)[0 if known else 1][0]
        function.on_split = lambda before, rest: _keep(function, known, before, rest)
    return function


def forms_by_values(model: Model) -> set[str]:
    """The rows whose form was decided by values of the model: nothing that is written after is kept."""
    return derived(model, forms_by_values, set)


def kept_data(model: Model, key: Any, make: Callable[[], Any], by_values: bool = False) -> Any:
    """What `make` returns, in the types of JSON; made only where no earlier process has.

    by_values   whether it depends on the values of numbers, and not on the structure alone
    """
    own = model_key(model)
    if own is None or not code_version():
        return json.loads(json.dumps(make()))
    name = _names(own, ("data", key))[by_values][0]
    return _data(name, make)


def kept_of(function: Function, key: str, make: Callable[[], Any]) -> Any:
    """What `make` returns, in the types of JSON; kept beside the Function that it follows from."""
    if function.kept_as is None:
        return json.loads(json.dumps(make()))
    return _data(disk.key(b"beside", function.kept_as.encode(), key.encode()), make)


def _data(name: str, make: Callable[[], Any]) -> Any:
    record = _loaded(name)
    if record is None or "data" not in record:
        record = json.loads(json.dumps({"data": make()}))
        _store(name, record)
    return record["data"]


def _names(own: ModelKey, key: Any) -> list[tuple[str, Mapping[str, float] | None]]:
    """The names of entries by the structure and by all values, and the numbers known for each."""
    text = repr(key).encode()
    by_structure = disk.key(b"derivation", code_version(), own.structure, text)
    by_values = disk.key(b"derivation by values", code_version(), own.values, text)
    return [(by_structure, own.numbers), (by_values, None)]


def _loaded(name: str) -> Record | None:
    parts = disk.load(name)
    if parts is None:
        return None
    try:
        record = json.loads(parts[0])
    except (ValueError, IndexError, RecursionError):
        record = None
    if not isinstance(record, dict):
        notice(f"cache entry {name[:12]} is of another form: rebuilt")
        return None
    return record


def _store(name: str, record: Record) -> None:
    if is_current():
        disk.store(name, [json.dumps(record).encode()])


# writing records ---------------------------------------------------------------------------------


def _keep(function: Function, known: bool, before: Function | None, rest: Function) -> None:
    """Stores the record of a Function that has been compiled; `known`: by the structure of its model."""
    from hapsis.compiler.ir.functions.function_text import lists_of
    from hapsis.compiler.passes.hoist import flattened
    from hapsis.compiler.passes.pipeline import prepared

    assert function.kept_as is not None
    function.on_split, values = None, function.parameters
    record: dict[str, Any] = {
        "signature": signature_of(function),
        "parameters": list(values),
        "values": None if known else list(values.values()),
        "digest": rest.digest.hex(),
        "price": rest.price,
    }
    if before is not None:
        record["preparation"] = lists_of(flattened(prepared(before)))
        record["preparation digest"] = before.digest.hex()
        record["preparation price"] = before.price
    _store(function.kept_as, record)


# reading records ---------------------------------------------------------------------------------


def _function(
    name: str, record: Record, numbers: Mapping[str, float] | None, write: Callable[[], Function | None]
) -> Function:
    """The unwritten Function of a record, with its two parts."""
    names = record["parameters"]
    stored = record["values"] if numbers is None else [numbers[each] for each in names]
    values = {n: float(x) for n, x in zip(names, stored, strict=True)}
    signature = _signature(record["signature"])

    def written() -> Function:
        function = write()
        if function is None:
            raise CompileError(f"cache entry {name[:12]} does not fit: remove it with hapsis cache clear")
        return function

    lists, known = record.get("preparation"), (bytes.fromhex(record["digest"]), record["price"])
    function = Function.unwritten(signature, values, written, known if lists is None else None)
    function.kept_as = name
    if lists is None:
        set_split(function, None, function)
        return function
    preparation = _preparation(record, values)

    def kernel() -> Function:
        from hapsis.compiler.passes.hoist import split

        rest = (split(function) or (None, function))[1]
        if rest.digest != known[0]:
            raise CompileError(f"cache entry {name[:12]} does not fit: remove it with hapsis cache clear")
        return rest

    count = sum(len(port.refs) for port in preparation.outputs)
    rest = Function.unwritten(signature, {f"w{k}": 0.0 for k in range(count)}, kernel, known)
    set_split(function, preparation, rest)
    return function


def _preparation(record: Record, values: Mapping[str, float]) -> Function:
    """The preparation of parameters, whose graph is not built for the values at hand."""
    lists = record["preparation"]
    [(port, shape, refs, _)] = lists["outputs"]
    signature = Signature(lists["name"], (), ((port, tuple(shape), None),))
    order = [lists["stored"][lists["nodes"][node][1]][0] for node in lists["parameters"]]
    own = {name: values[name] for name in order}
    known = bytes.fromhex(record["preparation digest"]), record["preparation price"]

    def written() -> Function:
        from hapsis.compiler.ir.functions.function_text import function_of
        from hapsis.compiler.passes.pipeline import set_prepared

        return set_prepared(function_of(lists, own))

    function = Function.unwritten(signature, own, written, known)
    set_rows(function, NumberRows(lists["nodes"], lists["constants"], lists["parameters"], refs))
    return function


def _signature(lists: Any) -> Signature:
    name, inputs, outputs = lists
    return Signature(name, _ports(inputs), _ports(outputs))


def _ports(lists: Any) -> tuple[Any, ...]:
    return tuple((name, tuple(shape), None if x is None else tuple(x)) for name, shape, x in lists)
