"""All methods of integration: every file of this folder is imported, so that it registers its own."""

import importlib
import pkgutil

from hapsis.motion.solvers import integrators
from hapsis.motion.solvers.integrators.method import METHODS, Method, check_options, method_named, register

__all__ = ["METHODS", "Method", "check_options", "method_named", "register"]

for _file in pkgutil.iter_modules(integrators.__path__):
    importlib.import_module(f"{integrators.__name__}.{_file.name}")
