"""How many random cases a test takes: a fixed sample, or all of them in a campaign.

`tools/campaign.py` sets the variable and runs the tests that import this file.
"""

import os
from typing import Any

CAMPAIGN = "HAPSIS_CAMPAIGN"


def sample(few: Any, all_of_them: Any) -> Any:
    """The cases or their number: few in `./run test`, all of them in a campaign."""
    return all_of_them if os.environ.get(CAMPAIGN) else few
