"""A run of an integrator: its memory, its steps, and its discrete adjoint."""
