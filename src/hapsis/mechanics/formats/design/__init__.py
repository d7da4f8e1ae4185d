"""Files of designed parts: meshes, STEP, and anchors in YAML."""
