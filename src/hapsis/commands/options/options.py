"""Arguments and options that several commands have."""

from typing import Annotated

import typer

File = Annotated[str, typer.Argument(metavar="FILE", help="A model: .yaml, .urdf, .mbs or MJCF .xml.")]
Base = Annotated[
    str, typer.Option("--base", metavar="HOW", help="Root of a URDF in the world: fixed or free.")
]
NotPhysical = Annotated[
    bool, typer.Option("--not-physical", help="Keep impossible masses and inertias; warn of them.")
]
Json = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
Texts = list[str] | None
Start = Annotated[
    Texts, typer.Option("--start", metavar="NAME=VALUE", help="A coordinate or speed at t = 0.")
]
Near = Annotated[
    Texts,
    typer.Option("--near", metavar="NAME=VALUE", help="A guess of a coordinate: chooses how loops close."),
]
Settings = Annotated[Texts, typer.Option("--set", metavar="NAME=VALUE", help="Another value of a parameter.")]
Method = Annotated[
    str, typer.Option("--method", help="auto, order8, order5, stiff, rk4, euler, symplectic, contact.")
]
Limits = Annotated[
    str, typer.Option("--limits", metavar="stops", help="Limits of joints act, with --method contact.")
]
Efforts = Annotated[Texts, typer.Option("--input", metavar="JOINT=VALUE", help="An effort that acts.")]
