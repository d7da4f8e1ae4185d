"""Random bodies that roll, steady rides, Kane's equations and impossible calls: which law is broken?

    python tools/attack_rolling.py                 30 of each kind
    python tools/attack_rolling.py rolls 0 200     seeds 0 to 199 of one kind
    python tools/attack_rolling.py --replay rolls:17

A line for each seed that breaks a law. The exit status is 1 if there is one. `rolling_laws` says what the
laws are.
"""

import sys
import warnings

from attacks.seeds import Kinds, exit_status
from rolling_laws import boards, calls, kane, rolls, steady

KINDS: Kinds = {
    "rolls": rolls.rolls,
    "boards": boards.boards,
    "bicycles": steady.bicycles,
    "discs": steady.discs,
    "kane": kane.equations,
    "calls": calls.calls,
}
SIZE = 30  # seeds of each kind

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(exit_status(sys.argv[1:], KINDS, dict.fromkeys(KINDS, SIZE)))
