"""Tasks by particles: attractors, passive arms, ways around obstacles."""
