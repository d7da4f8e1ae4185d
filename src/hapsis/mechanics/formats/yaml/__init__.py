"""Our own YAML format, read and written."""
