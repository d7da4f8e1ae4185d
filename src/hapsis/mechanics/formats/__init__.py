"""Model files: Hapsis YAML and URDF, read and written; MJCF and Robotran's .mbs, read."""
