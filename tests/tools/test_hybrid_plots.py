"""The pictures of docs/hybrids.md are those that their tool draws."""

import hybrid_plots
import pytest
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", hybrid_plots.PICTURES.plots)
def test_each_picture_is_drawn_again(name, tmp_path):
    drawn_again(hybrid_plots, name, tmp_path)


def test_all_are_shown():
    all_shown(hybrid_plots, "hybrids.md")
