"""The pictures of the page on a designer's questions are what its tool draws now."""

import designer_plots
import pytest
from pictures import drawn_again

PAGE = designer_plots.ROOT / "docs" / "designer_questions.md"


@pytest.mark.parametrize("name", designer_plots.PICTURES.plots)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn_again(designer_plots, name, tmp_path, largest=60_000)


def test_every_picture_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    assert all(f"_static/designs/{name}.svg" in text for name in designer_plots.PICTURES.plots)
