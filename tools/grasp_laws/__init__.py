"""Mechanisms in a hand, and what the guard's observer says of random hands.

mechanisms   with the frame that is held, and arms of devices
hands        random hands by seed, the energy they get, and times of ticks
"""
