"""Pictures of the page about sensing, and the synthetic record, are what they would be now."""

import key_record
import numpy as np
import pytest
import sensing_plots
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", sensing_plots.PICTURES.plots)
def test_the_picture_is_that_of_the_filters(name, tmp_path):
    drawn_again(sensing_plots, name, tmp_path)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(sensing_plots, "sensing.md")


def test_the_record_is_what_its_tool_writes():
    kept = np.loadtxt(key_record.FILE, delimiter=",")
    assert np.abs(kept - key_record.table()).max() < 1e-5
