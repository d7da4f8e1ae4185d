"""Laws that random scenes of particles must keep."""
