"""The pictures of docs/rolling.md are those that their tool draws."""

import pytest
import rolling_plots
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", rolling_plots.PICTURES.plots)
def test_each_picture_is_drawn_again(name, tmp_path):
    drawn_again(rolling_plots, name, tmp_path)


def test_all_are_shown():
    all_shown(rolling_plots, "rolling.md")
