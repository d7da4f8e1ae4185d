"""A fixed-rate loop in native code, and what keeps it safe."""
