"""Settings for all tests; also, tests in any folder can `import strategies` from this one."""

from hypothesis import settings

# machines may be slow and shared: nothing here is timed (tools/mutate.py has a profile of its own)
if settings.default is not None and settings.default.deadline is not None:
    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")
