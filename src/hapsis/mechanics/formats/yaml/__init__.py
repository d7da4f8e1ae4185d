"""Reader and writer of the Hapsis YAML format."""
