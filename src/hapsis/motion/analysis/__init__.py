"""Analyses of a model by iteration: assembly, equilibrium, linear models, inverse kinematics."""
