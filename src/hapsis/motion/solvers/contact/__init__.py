"""Contacts in big steps: impulses of contacts and constraints as one convex problem a step; arrays only."""
