"""Numbers of a model: checked values and formulas of named parameters."""
