"""Model files: YAML of our own, and URDF; read safely, written so that they read back the same."""
