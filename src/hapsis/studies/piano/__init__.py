"""Studies of the grand piano action, as measured and simulated for a haptic piano key [Docquier]."""
