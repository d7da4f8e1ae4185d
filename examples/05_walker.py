"""A walker without motors: phases, an impact with exchanged legs, and the gait that repeats itself."""

# the data: a model file in a folder of its own
import os
import shutil
import tempfile
from pathlib import Path

import hapsis as hs

here = tempfile.TemporaryDirectory()
shutil.copy(Path(__file__).parent / "models" / "compass.yaml", here.name)
os.chdir(here.name)

# the program
walker = hs.load("compass.yaml")
gait = hs.Hybrid(
    phases={"stance": walker.pinned("stance.foot")},
    events=[
        hs.Event(
            "heel strike",
            when=hs.height("swing.foot"),
            falling=True,
            only=lambda s: s.ahead("swing.foot", of="stance.foot") > 0.05,  # straight legs scuff at mid-swing
            then=[hs.impact("swing.foot"), hs.swap("stance", "swing")],
        )
    ],
)
cycle = hs.find_cycle(gait, near=walker.pose("start"))
print(cycle.period, abs(cycle.multipliers).max())

# the folder cannot be removed while it is the current one
os.chdir(Path(__file__).parent)
here.cleanup()
