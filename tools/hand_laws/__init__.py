"""Hands at drives, and what the guard's observer says of them.

models     mechanisms behind a drive: free, on a spring, a pendulum, levers, the action of a piano
hands      motions of random hands, and hands of masses and springs that resonate where a drive gives most
laws       scenarios by seed, and the sentences of the laws that they break
"""
