"""The equations of a model as y' = f(t, y), compiled."""
