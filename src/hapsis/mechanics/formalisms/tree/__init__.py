"""The tree of links: poses, kinematics, energy, and the choice of the cheapest form."""
