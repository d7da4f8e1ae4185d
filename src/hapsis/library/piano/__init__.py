"""The action of a grand piano, its regulation, and the keys of other instruments."""

from hapsis.library.piano.action import grand_action

__all__ = ["grand_action"]
