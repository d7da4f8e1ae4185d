"""The digits of 2/pi in base 2**25, enough for every double; no digits for longer formats.

Balanced digits, |digit| <= 2**24: entry 3 + j has the weight 2**(-25 (j + 1)), so entry 2 is
the integer part (one, since the next digit is negative) and two zeros stand before it.
"""

from __future__ import annotations

from .arithmetic import Table

DIGIT_BITS = 25

TWO_OVER_PI = Table(
    "two_over_pi",
    tuple(
        float(digit)
        for digit in (
            0,
            0,
            1,
            -12193017,
            -4638448,
            11096033,
            7699743,
            10918840,
            3594405,
            13409826,
            -7323138,
            10667864,
            -8720618,
            -15877853,
            14918693,
            -4563967,
            -7189573,
            -16455479,
            1900062,
            -2737822,
            10919164,
            -12316240,
            -11342924,
            9477428,
            -14939731,
            3129121,
            -13004330,
            7538342,
            15192690,
            2292830,
            -2125180,
            -10223853,
            -2175,
            13371384,
            -13692533,
            11801818,
            8238298,
            -624322,
            11574133,
            -1521683,
            -5793797,
            -15287660,
            -4536340,
            -3415306,
            15998184,
            -4435307,
            -13719872,
            -9701852,
            -1878206,
            2818456,
            4652155,
            14112738,
            -12652414,
        )
    ),
)
