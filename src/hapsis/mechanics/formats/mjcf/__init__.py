"""MJCF, the XML format of MuJoCo, read."""
