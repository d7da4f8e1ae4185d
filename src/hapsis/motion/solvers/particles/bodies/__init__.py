"""The bodies of a Model among particles."""
