"""Meshes in files: STL, OBJ, COLLADA and glTF as triangles, and surfaces with fewer of them."""
