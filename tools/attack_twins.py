"""Random programs and mechanisms with twins: does the code for one state compute other numbers than without?

    python tools/attack_twins.py                    so many of each kind
    python tools/attack_twins.py programs 0 2000    seeds 0 to 1999 of one kind
    python tools/attack_twins.py --replay blocks:17

A line for each seed that breaks a law. The exit status is 1 if there is one. `twin_laws` says what the
laws are.
"""

import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from attacks.seeds import Kinds, exit_status  # noqa: E402
from twin_laws import large, limbs, programs  # noqa: E402

KINDS: Kinds = {
    "programs": programs.programs,
    "blocks": programs.blocks,
    "limbs": limbs.limbs,
    "loops": limbs.loops,
    "exports": programs.exports,
    "large": large.large,
}
SIZES = {"programs": 200, "blocks": 60, "limbs": 20, "loops": 10, "exports": 5, "large": 8}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(exit_status(sys.argv[1:], KINDS, SIZES))
