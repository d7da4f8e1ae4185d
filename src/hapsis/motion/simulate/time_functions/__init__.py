"""What a motion takes from the time alone: where it has kinks, and how fast it changes."""
