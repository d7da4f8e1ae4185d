"""Steps of particles, their connectors and what they touch; arrays only."""
