"""The pictures of docs/kane.md are those that their tool draws."""

import kane_plots
import pytest
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", kane_plots.PICTURES.plots)
def test_each_picture_is_drawn_again(name, tmp_path):
    drawn_again(kane_plots, name, tmp_path)


def test_all_are_shown():
    all_shown(kane_plots, "kane.md")
