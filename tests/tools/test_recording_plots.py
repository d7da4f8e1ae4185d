"""The picture of the page on recordings is what `compare` draws now."""

import pytest
import recording_plots
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", recording_plots.PICTURES.plots)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn_again(recording_plots, name, tmp_path, largest=30_000)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(recording_plots, "recording.md")
