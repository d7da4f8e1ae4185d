"""Surfaces of particles that touch: facets against facets, floors and the medium around them."""
