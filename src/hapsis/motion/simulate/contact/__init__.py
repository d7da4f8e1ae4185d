"""Runs with contacts in big steps: a model as a scene of solids, laws and rows, and its results."""
