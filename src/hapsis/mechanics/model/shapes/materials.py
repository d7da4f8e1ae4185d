"""Materials that shapes can be drawn in: a word for a colour and a surface."""

from typing import NamedTuple


class Material(NamedTuple):
    """How a material looks: red, green and blue from 0 to 1, and whether it shines."""

    color: tuple[float, float, float]
    metal: bool = False


MATERIALS = {
    "wood": Material((0.80, 0.64, 0.43)),
    "maple": Material((0.89, 0.77, 0.57)),
    "spruce": Material((0.91, 0.80, 0.60)),
    "walnut": Material((0.45, 0.31, 0.20)),
    "felt": Material((0.93, 0.91, 0.86)),
    "red felt": Material((0.68, 0.16, 0.17)),
    "green felt": Material((0.24, 0.45, 0.33)),
    "leather": Material((0.76, 0.58, 0.39)),
    "rubber": Material((0.23, 0.24, 0.25)),
    "black": Material((0.13, 0.13, 0.14)),
    "ivory": Material((0.96, 0.94, 0.88)),
    "brass": Material((0.80, 0.63, 0.28), metal=True),
    "copper": Material((0.74, 0.45, 0.30), metal=True),
    "lead": Material((0.46, 0.48, 0.52), metal=True),
    "steel": Material((0.70, 0.72, 0.75), metal=True),
}
