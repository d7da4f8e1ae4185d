"""A bicycle without a rider's help: at which speeds it stays upright, and how it rides in a curve."""

import numpy as np

import hapsis as hs

bicycle = hs.library.whipple_bicycle()
print(bicycle, "\n")


def ride(v):
    """The steady ride straight ahead at v, m/s."""
    return hs.equilibrium(bicycle, speeds={"rear.v": v / bicycle.parameters["rR"]})


# upright it weaves when it is slow, and leans over slowly when it is fast
for v in (3.0, 4.0, 5.0, 6.0, 7.0):
    report = ride(v).report
    print(f"{v:4.1f} m/s: {report.stability:8s} slowest {report.eigenvalues[0]:.3f}")

# where it begins to stay upright by itself: what swings neither grows nor decays there
low, high = 4.0, 5.0
while high - low > 1e-9:
    v = 0.5 * (low + high)
    if ride(v).report.stability == "unstable":
        low = v
    else:
        high = v
print(f"\nstable from {high:.6f} m/s on")  # up to 1e-6 of its eigenvalues
assert abs(high - 4.292382536) < 1e-5

# in a curve: held at this lean, it needs no effort at one speed
curve = hs.equilibrium(
    bicycle, {"lean": 0.3, "steer": 0.1, "rear.v": 18.0}, held=["lean"], speeds={"rear.v": None}
)
radius = curve["place.Tx.v"] / abs(curve["place.Rz.v"])
print(f"\nat a lean of 0.3 rad: {0.3 * curve['rear.v']:.3f} m/s, {radius:.2f} m from the middle")
result = hs.simulate(bicycle, until=5.0, start=curve)
assert np.ptp(result["lean"]) < 1e-6

# a push at 5 m/s: it steers into the fall and comes back; nobody holds the handlebar
pushed = hs.simulate(bicycle, until=5.0, start={"lean.v": 0.5}, every=0.01)
print(f"\npushed, it leans by {np.max(pushed['lean']):.3f} rad; after 5 s by {pushed['lean'][-1]:.4f} rad")
assert abs(pushed["lean"][-1]) < 0.05
