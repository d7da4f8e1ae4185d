"""Settings for all tests; also, tests in any folder can `import strategies` from this one."""

from hypothesis import settings

# machines may be slow and shared: nothing here is timed
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
