"""Model files: YAML of our own, URDF, MJCF and Robotran's; the first two are written too."""
