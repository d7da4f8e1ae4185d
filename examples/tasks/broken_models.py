"""Broken models: every mistake of a model in one error, each with what to do."""

import hapsis as hs

try:
    hs.Model(
        hs.Body("upper", mass=-1.0),
        hs.Body("fore", mass=1.0, inertia=(1, 1, 5)),
        hs.Revolute("shoulder", hs.WORLD, "uper", axis="y", limits=(2, -2)),
        hs.Revolute("elbow", "upper.end", "fore", axis="y"),
    )
except hs.ModelError as error:
    problems = error.problems
    print(*problems, sep="\n")
