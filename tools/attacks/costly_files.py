"""Small files that are made to cost time or memory: deep, long, repeated, or larger than they look."""

import random

from attacks.mutation import everything
from attacks.table import Case

WORDS = ("[", "{a: ", "- ", "(", "<a>", "<body>", "<frame>", "&a [*a, ", "!!x ", "sin(", "-", "1 + ", "2 ** ")


def count(draw: random.Random) -> int:
    """A number of repetitions."""
    return draw.choice((3, 17, 63, 64, 65, 255, 256, 257, 1000, 5000, 20_000))


def repeated_places(draw: random.Random, ending: str) -> Case:
    """Something repeated very often at a random place of a sound file."""
    text, word = everything(ending), draw.choice(WORDS) * count(draw)
    at = draw.randrange(len(text))
    return Case((text[:at] + word + text[at:]).encode(), ending)


def yaml_case(draw: random.Random) -> Case:
    """Bombs of aliases, directives, tags, keys, long names and long formulas."""
    n = count(draw)
    text = draw.choice(
        (
            "hapsis: 1\n" + "".join(f"%TAG !a{k}! x\n" for k in range(n)) + "---\n" + everything("yaml"),
            "".join(f"%X{k} y\n" for k in range(n)) + "--- \n" + everything("yaml"),
            "hapsis: 1\nx0: &x0 [1]\n"
            + "".join(f"x{k + 1}: &x{k + 1} [{f'*x{k}, ' * 9}]\n" for k in range(min(n, 60))),
            "hapsis: 1\nbodies:\n" + "".join(f"  ? [{k}]\n  : {{}}\n" for k in range(n)),
            "hapsis: 1\nbodies:\n" + "  b: {}\n" * n,
            f"hapsis: 1\nbodies: {{{'b' * n}: {{mass: 1}}}}\n",
            f"hapsis: 1\nparameters: {{a: {'1 + ' * n}1}}\n",
            f"hapsis: 1\nbodies: {{b: {{mass: {'(' * n}1{')' * n}}}}}\n",
            f"hapsis: 1\nbodies: {{b: {{mass: {' * '.join(['2 ** 9'] * min(n, 1000))}}}}}\n",
            "hapsis: 1\nparameters:\n"
            + "".join(f"  a{k}: a{k + 1} + a{k + 1}\n" for k in range(min(n, 200)))
            + f"  a{min(n, 200)}: 1\n",
            "hapsis: 1\nbodies:\n"
            + "".join(f"  b{k}: {{frames: {{f: [0, 0, 1]}}}}\n" for k in range(min(n, 1000)))
            + "joints:\n"
            + "".join(f"  j{k}: {{first: b{k}, second: b{k + 1}, type: weld}}\n" for k in range(min(n, 999))),
            "hapsis: 1\ncontacts: {c: {first: world, second: {body: world, shape: {type: heightfield, "
            f"step: 1, height: {[[0] * min(n, 300)] * min(n, 300)}}}}}}}}}\n",
            "\n".join(f"{'  ' * k}a:" for k in range(min(n, 1000))),
            "hapsis: 1\n" + "'" * n,
            "hapsis: 1\nx: " + "1" * n + "e" + "9" * min(n, 5000),
            "hapsis: 1\nx: " + ":".join(["59"] * min(n, 5000)),
            "hapsis: 1\nx: !!binary " + "A" * n,
            "hapsis: 1\nx: 2001-01-01 00:00:00" + "0" * n,
        )
    )
    return Case(text.encode(), "yaml")


def xml_case(draw: random.Random, ending: str) -> Case:
    """Entities, includes, deep and wide trees, long names and numbers."""
    n, text = count(draw), everything(ending)
    root = {"urdf": "robot", "xml": "mujoco", "mbs": "mbsDescR7"}[ending]
    nine = [f"&x{k};" * 9 for k in range(min(n, 60))]
    entities = "".join(f'<!ENTITY x{k + 1} "{text}">' for k, text in enumerate(nine))
    beside = {}
    if ending == "xml":
        names = "".join(f'<include file="i{k % 7}.xml"/>' for k in range(min(n, 3000)))
        inner = draw.choice((names, '<include file="a.xml"/>', "<size/>" * n, '<include file="i0.xml"/>'))
        beside = {f"i{k}.xml": f"<mujocoinclude>{inner}</mujocoinclude>".encode() for k in range(7)}
        beside["i3.xml"] = draw.choice((b"", b"<", b"<mujoco/>", beside["i3.xml"]))
    ring = "".join(
        f'<joint name="j{k}" type="fixed"><parent link="l{k}"/><child link="l{(k + 1) % n}"/></joint>'
        f'<link name="l{k}"/>'
        for k in range(min(n, 3000))
    )
    attributes = " ".join(f'a{k}="1"' for k in range(n))
    choices = [
        f'<!DOCTYPE a [<!ENTITY x0 "y">{entities}]><{root}>&x59;</{root}>',
        f"<!DOCTYPE a SYSTEM '/dev/zero'><{root}/>",
        f"<{root}>{'<a>' * n}",
        f"<{root}>{ring}</{root}>",
        f"<{root} {attributes}/>",
        text.replace('name="', 'name="' + "n" * n, 1),
        text.replace("0.1", "0" * n + ".1"),
        text.replace(">", ">" + " " * n, 3),
        text.replace(f"</{root}>", text[text.index(f"<{root}") :] * min(n, 50) + f"</{root}>"),
    ]
    if ending == "xml":
        choices += [
            f"<mujoco>{names}<worldbody/></mujoco>",
            '<mujoco><include file="../../etc/passwd"/></mujoco>',
            f"<mujoco><default>{'<default>' * n}{'</default>' * n}</default></mujoco>",
            f"<mujoco><worldbody>{'<body>' * n}<geom size='1'/>{'</body>' * n}</worldbody></mujoco>",
            f"<mujoco><worldbody><replicate count='{n}{n}'>"
            "<body><geom size='1'/></body></replicate></worldbody></mujoco>",
            f"<mujoco><worldbody><composite type='grid' count='{n} {n} {n}'/></worldbody></mujoco>",
        ]
    return Case(draw.choice(choices).encode(), ending, beside)
