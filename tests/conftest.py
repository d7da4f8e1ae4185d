"""Stands here so that tests in any folder can `import strategies` from this one."""
