"""Random machines of many phases, by equations and an event loop of their own."""
