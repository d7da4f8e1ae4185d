"""Kane's method: which generalized speeds lead, equations of motion by them, and reactions."""
