"""Scenes: objects, what they touch, the Model among them, and their memory."""
