"""How many random cases a test takes: a fixed sample, or all of them in a campaign.

`tools/campaign.py` sets the variable and runs the tests that import this file.
"""

import os

CAMPAIGN = "HAPSIS_CAMPAIGN"


def sample(few: int, all_of_them: int) -> int:
    """The number of cases: few in `./run test`, all of them in a campaign."""
    return all_of_them if os.environ.get(CAMPAIGN) else few
