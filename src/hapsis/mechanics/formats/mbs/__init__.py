"""Reader of .mbs, the format of Robotran."""
