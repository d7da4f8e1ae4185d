"""The motion of scenes: runs, methods, steps for loops, rest, results."""
