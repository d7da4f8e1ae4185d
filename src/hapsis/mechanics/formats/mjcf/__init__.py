"""Reader of MJCF, the XML format of MuJoCo."""
