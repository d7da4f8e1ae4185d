"""Pictures of the page on cycles take minutes and wander in chaos: what they are drawn from is tested."""

import cycle_plots
import numpy as np
from pictures import all_shown

from hapsis.view.series import Series


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(cycle_plots, "cycles.md")


def test_lines_of_one_name_are_one_line_with_gaps():
    x = np.array([1.0, 2.0])
    one, two = cycle_plots._merged([Series("a", x, x), Series("b", x, x), Series("a", x, 2 * x)])
    assert (one.name, two.name) == ("a", "b") and len(one.x) == 5 and np.isnan(one.y[2])
    assert one.y[3:].tolist() == [2.0, 4.0] and two.y.tolist() == [1.0, 2.0]
