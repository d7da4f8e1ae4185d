"""Signals as columns of numbers, and as the data frames of pandas, polars and xarray, where installed."""

from collections.abc import Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from hapsis.errors import Error, check_known, install_command
from hapsis.mechanics.model.signals.column_units import part_units
from hapsis.mechanics.model.signals.signal_table import SignalTable
from hapsis.mechanics.model.signals.vector_parts import WRENCH, part_names

AXES = {part_names(3): "xyz", WRENCH: "part"}  # the names of these axes
LIBRARIES = ("pandas", "polars")


def parts(name: str, values: Any, unit: str = "") -> dict[str, Any]:
    """The columns of vectors, wrenches and other tables of numbers, by name."""
    columns = values.reshape(len(values), -1).T
    letters = part_names(len(columns), unit)
    return {f"{name}.{a}": x for a, x in zip(letters, columns, strict=True)}


def flat(table: SignalTable) -> dict[str, Any]:
    """Every signal as columns of numbers: t first, vectors as NAME.x, NAME.y, NAME.z."""
    columns: dict[str, Any] = {"t": table["t"]}
    for name in table.names:
        values = table[name]
        columns |= {name: values} if values.ndim == 1 else parts(name, values, table.unit(name))
    return columns


def flat_units(table: SignalTable, columns: Mapping[str, Any]) -> dict[str, str]:
    """{column: unit} of the columns of `flat`."""
    units = {name: table.units[name] for name in columns if name in table.units}
    for name in table.names:
        if name not in columns and name in table.units:
            several = parts(name, table[name], table.units[name])
            units |= dict(zip(several, part_units(table.units[name], len(several)), strict=True))
    return units


def flat_columns(
    columns: Mapping[str, Any], units: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Columns of numbers, vectors as NAME.x, NAME.y, NAME.z, and the units of those that have one."""
    flat: dict[str, Any] = {}
    flat_units: dict[str, str] = {}
    for name, values in columns.items():
        unit = units.get(name, "")
        several = {name: values} if values.ndim == 1 else parts(name, values, unit)
        own = [unit] if values.ndim == 1 else part_units(unit, len(several))
        flat |= several
        flat_units |= {part: x for part, x in zip(several, own, strict=True) if x}
    return flat, flat_units


def data_frame(table: SignalTable, library: str | None = None) -> Any:
    """The data frame of `flat`, of pandas or polars."""
    columns = flat(table)
    return frame_of(columns, flat_units(table, columns), library)


def frame_of(columns: Mapping[str, Any], units: Mapping[str, str], library: str | None) -> Any:
    """A data frame of pandas or polars; that of pandas has the units among its attributes."""
    if library is not None:
        check_known(library, LIBRARIES, "there is no library {}", expected=" or ".join(LIBRARIES))
    module = installed("to_dataframe", (library,) if library else LIBRARIES)
    frame = module.DataFrame(dict(columns))
    if module.__name__ == "pandas":
        frame.attrs["units"] = dict(units)
    return frame


def dataset(table: SignalTable) -> Any:
    """The `xarray.Dataset` of all signals."""
    xarray = installed("to_xarray", ("xarray",))
    variables: dict[str, Any] = {}
    coordinates: dict[str, Any] = {"t": ("t", table["t"], {"units": "s"})}
    for name in table.names:
        if name == "t":
            continue
        values, unit = table[name], table.unit(name)
        axes = ["t"]
        for k, count in enumerate(values.shape[1:], 1):
            letters = part_names(count, unit)
            axis = AXES.get(letters, f"{name}.{k}")
            axes.append(axis)
            coordinates[axis] = list(letters)
        variables[name] = (axes, values, {"units": table.units.get(name, "")})
    return xarray.Dataset(variables, coordinates)


def installed(verb: str, names: tuple[str, ...]) -> ModuleType:
    """The first of these libraries that can be imported; an error that says what to install."""
    for name in names:
        try:
            return import_module(name)
        except ImportError:
            continue
    raise Error(f"{verb} needs {' or '.join(names)}", remedy=install_command(names[0]))
