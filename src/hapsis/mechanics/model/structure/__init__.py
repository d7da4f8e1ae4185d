"""The structure of a model: facts as a flat list and by family, frame lookup, the spanning tree."""
