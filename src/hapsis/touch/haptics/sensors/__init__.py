"""Models of sensors: what they show in a simulation, and how a record calibrates them."""
