"""A hand on the key of a grand piano: the whole action in a native loop at 4 kHz."""

import hapsis as hs

action = hs.library.grand_action()
step = hs.stepper(action, dt=1 / 4000, inputs=["key.position"], outputs=["key.force"])
with hs.haptics.SimulatedHand(speed=0.010, travel=0.0095) as hand:
    loop = hs.realtime.Loop(step, rate=4000).connect(hand)
    loop.run(seconds=2)
print(loop.report())
