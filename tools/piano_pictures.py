"""Draws the pictures of docs/piano.md anew: the figures of all studies of the piano.

python tools/piano_pictures.py
"""

from page_pictures import STATIC

from hapsis.studies.catalogue import STUDIES, made
from hapsis.studies.piano.runs import Runs

FOLDER = STATIC / "piano"


def main() -> None:
    """Writes NAME.svg, NAME_2.svg, ... for each study, by the name behind `piano-`."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    runs = Runs()
    for name in STUDIES:
        short = name.removeprefix("piano-").replace("-", "_")
        for k, figure in enumerate(made(name, runs).figures, 1):
            print(figure.plot.save(FOLDER / f"{short}{'' if k == 1 else f'_{k}'}.svg").name)


if __name__ == "__main__":
    main()
