"""One run: options, start, events, energy watchdog, result."""
