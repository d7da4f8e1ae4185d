"""Linear models about a state, and vibration modes."""
