"""Formulas to native code: expressions, passes over them, and one backend per target."""
