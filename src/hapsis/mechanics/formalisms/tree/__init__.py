"""The tree of links: poses, kinematics, energy, and the cheapest way to write them."""
