"""The .mbs format of Robotran, read."""
