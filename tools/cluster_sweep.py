"""A sweep on a local Dask cluster beside one process: speed-up, one worker killed, the same bits.

    python tools/cluster_sweep.py                    10 000 runs of a ball that bounces, two workers
    python tools/cluster_sweep.py --runs 1000 --workers 4

A worker is killed by SIGKILL from within one of its runs, a third of the way; Dask starts another one and
makes its batches again. Prints the figures as JSON; the status is 1 where a bit differs. Needs distributed.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time

import numpy as np

import hapsis as hs


def model() -> hs.Model:
    """A ball on a floor: contacts are made run by run, so one process uses one core."""
    return hs.Model(
        hs.Body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)),
        hs.Prismatic("z", "world", "ball", axis="z"),
        hs.Contact("floor", (hs.End("ball"), hs.Sphere(0.1)), ("world", hs.Plane("z"))),
    )


def main() -> int:
    """Makes both sweeps and compares them; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--until", type=float, default=1.0, help="s of each run")
    options = parser.parse_args()
    distributed = __import__("distributed")
    heights = np.linspace(0.15, 1.0, options.runs)
    fatal = float(heights[options.runs // 3])
    mark = os.path.join(tempfile.mkdtemp(), "killed")
    caller = os.getpid()

    def peak(result: hs.Result) -> float:
        if result["z"][0] == fatal and os.getpid() != caller and not os.path.exists(mark):
            with open(mark, "w"):
                os.kill(os.getpid(), signal.SIGKILL)
        return result["floor.force"].max()

    def swept(**more: object) -> tuple[hs.Sweep, float]:
        began = time.perf_counter()
        measure = {"peak": peak, "rest": "z", "loss": "min(energy)"}
        table = hs.sweep(ball, options.until, {"z": heights}, measure, progress=sys.stderr.isatty(), **more)
        return table, time.perf_counter() - began

    ball = model()
    hs.sweep(ball, options.until, {"z": heights[:4]}, "z")  # compiles
    here, alone = swept(threads=1)
    cluster = distributed.LocalCluster(
        n_workers=options.workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    with cluster, distributed.Client(cluster) as client:
        hs.sweep(ball, options.until, {"z": heights[: 8 * options.workers]}, "z", cluster=client)
        there, together = swept(cluster=client)
    same = all(here[name].tobytes() == there[name].tobytes() for name in here.names)
    figures = {
        "runs": options.runs,
        "workers": options.workers,
        "cores": os.cpu_count(),
        "one process, s": round(alone, 2),
        "cluster, s": round(together, 2),
        "speed-up": round(alone / together, 2),
        "workers killed": int(os.path.exists(mark)),
        "same bits": same,
        "statuses": {status: there.status.count(status) for status in set(there.status)},
    }
    print(json.dumps(figures, indent=2))
    return 0 if same and os.path.exists(mark) else 1


if __name__ == "__main__":
    sys.exit(main())
