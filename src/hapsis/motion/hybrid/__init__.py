"""Phases, events and impacts: mechanisms whose constraints change on the way."""
