"""Kane's method: generalized speeds, partial velocities, and equations of motion without multipliers."""
