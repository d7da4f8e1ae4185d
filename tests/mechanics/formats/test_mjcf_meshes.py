"""Meshes and colours of MJCF files: places and colours are those of MuJoCo, rules are those of URDF."""

import struct
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.drawing.placement import frame_pose, placement, start_values
from hapsis.mechanics.formats.mesh_paths import mesh_file
from hapsis.mechanics.formats.meshes.read_mesh import read_mesh

CASES = 40
CORNERS = [(0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)]


def tetrahedron(rng):
    places = rng.uniform(-0.2, 0.2, (4, 3))
    a, b, c, d = places
    if np.dot(np.cross(b - a, c - a), d - a) > 0:
        places = places[[1, 0, 2, 3]]
    return places.astype("<f4").astype(float)


def write(file, places):
    faces = np.array(CORNERS)
    if file.suffix == ".stl":
        rows = b"".join(bytes(12) + places[list(t)].astype("<f4").tobytes() + bytes(2) for t in CORNERS)
        file.write_bytes(bytes(80) + struct.pack("<I", len(CORNERS)) + rows)
    elif file.suffix == ".obj":
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in places.tolist()]
        file.write_text("\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in CORNERS)]))
    else:
        head = struct.pack("<4i", len(places), 0, 0, len(faces))
        file.write_bytes(head + places.astype("<f4").tobytes() + faces.astype("<i4").tobytes())


def text(values):
    return " ".join(f"{x:.17g}" for x in values)


def random_file(folder, rng, number):
    """A chain of bodies, each with one mesh, as MJCF; part of it in a file that it includes."""
    (folder / "parts" / "deep").mkdir(parents=True, exist_ok=True)
    assets, inside, outside = [], [], []
    for k in range(3):
        file = folder / "parts" / "deep" / f"m{number}_{k}{rng.choice(['.stl', '.obj', '.msh'])}"
        write(file, tetrahedron(rng))
        even = rng.random() < 0.5
        scale = np.full(3, rng.uniform(0.3, 2.0)) if even else rng.uniform(0.3, 2.0, 3) * rng.choice([-1, 1])
        turn = f'refquat="{text(rng.standard_normal(4))}"' if even and rng.random() < 0.7 else ""
        moved = f'refpos="{text(rng.uniform(-1, 1, 3))}"' if rng.random() < 0.7 else ""
        sizes = f'scale="{text(scale)}"' if rng.random() < 0.8 else ""
        named = f'name="mesh{k}"' if rng.random() < 0.5 else ""
        assets.append(f'<mesh {named} file="deep/{file.name}" {turn} {moved} {sizes}/>')
        mesh = f"mesh{k}" if named else file.stem
        place = f'pos="{text(rng.uniform(-1, 1, 3))}" quat="{text(rng.standard_normal(4))}"'
        geom = f'<geom name="g{k}" type="mesh" mesh="{mesh}" pos="{text(rng.uniform(-1, 1, 3))}"/>'
        inside.append(
            f'<body name="b{k}" {place}><joint name="j{k}" axis="{text(rng.standard_normal(3))}"/>'
            f'<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>'
            f'<frame euler="{text(rng.uniform(-90, 90, 3))}">{geom}</frame>'
        )
        outside.append("</body>")
    tree = "".join(inside) + "".join(outside)
    main = folder / f"model{number}.xml"
    main.write_text(
        f'<mujoco><compiler meshdir="parts"/><asset>{"".join(assets)}</asset>'
        f'<include file="parts/tree{number}.xml"/></mujoco>'
    )
    (folder / "parts" / f"tree{number}.xml").write_text(
        f"<mujocoinclude><worldbody>{tree}</worldbody></mujocoinclude>"
    )
    return main


def seen(model, q):
    """{body: vertices of its meshes in the world}, from the shapes of the model and their files."""
    placed = placement(model, q)
    places = {}
    for name, body in model.bodies.items():
        for shape in body.shapes:
            file = mesh_file(shape.path, Path(shape.where.rsplit(":", 2)[0]).parent)
            pose = placed[name] @ frame_pose(model, shape.at)
            vertices = np.concatenate([piece.vertices for piece in read_mesh(file)])
            scale = np.array([model.value(x) for x in shape.scale])
            places[name] = np.unique(np.round(pose.p + vertices * scale @ pose.R.T, 6), axis=0)
    return places


def nearest(first, second):
    gaps = np.linalg.norm(first[:, None] - second[None], axis=2)
    return max(gaps.min(axis=0).max(), gaps.min(axis=1).max())


@pytest.mark.peers
def test_vertices_lie_where_those_of_mujoco_do(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    rng = np.random.default_rng(16)
    for number in range(CASES):
        file = random_file(tmp_path, rng, number)
        model = hs.load(file)
        q = rng.uniform(-2, 2, len(model.coordinates))
        theirs = mujoco.MjModel.from_xml_path(str(file))
        data = mujoco.MjData(theirs)
        data.qpos[:] = q
        mujoco.mj_forward(theirs, data)
        ours = seen(model, q)
        assert len(ours) == theirs.ngeom == 3
        for geom in range(theirs.ngeom):
            mesh = theirs.geom_dataid[geom]
            first, count = theirs.mesh_vertadr[mesh], theirs.mesh_vertnum[mesh]
            local = theirs.mesh_vert[first : first + count]
            there = data.geom_xpos[geom] + local @ data.geom_xmat[geom].reshape(3, 3).T
            assert nearest(ours[f"b{geom}"], there) < 5e-6
        table = drawing(model, q)
        assert table["notices"] == [] and all(body["shapes"] for body in table["bodies"])


COLORS = """<mujoco><default><geom rgba=".1 .2 .3 1"/><default class="v">
<geom type="mesh" contype="0" conaffinity="0" group="2" material="red"/></default></default>
<asset><texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="8" height="8"/>
<material name="red" rgba="1 .2 .1 1"/><material name="chess" texture="t" rgba=".5 .5 .5 1"/>
<mesh name="m" file="m.stl"/></asset>
<worldbody><body name="a"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><freejoint/>
<geom class="v" mesh="m" rgba="{own}"/><geom class="v" mesh="m" pos="1 0 0" rgba="{other}"/>
<geom name="c" type="box" size=".1 .1 .1" group="3"/>
<geom name="d" type="sphere" size=".1" group="0"/></body></worldbody></mujoco>"""


def test_colours_are_those_of_mujoco_and_shapes_for_contacts_have_none(tmp_path):
    write(tmp_path / "m.stl", tetrahedron(np.random.default_rng(0)))
    content = COLORS.replace(' rgba="{own}"', "").replace('rgba="{other}"', 'rgba="0 1 0 1"')
    (tmp_path / "a.xml").write_text(content)
    model = hs.load(tmp_path / "a.xml")
    colors = {shape.type_name: shape.color for shape in model.bodies["a"].shapes[2:]}
    assert colors == {"box": None, "sphere": None}
    # the rgba of a default class holds before that of a material, as MuJoCo has it
    assert [shape.color for shape in model.bodies["a"].shapes[:2]] == [(0.1, 0.2, 0.3), (0.0, 1.0, 0.0)]
    plain = content.replace('<geom rgba=".1 .2 .3 1"/>', "").replace('rgba="0 1 0 1"', 'material="chess"')
    (tmp_path / "b.xml").write_text(plain)
    model = hs.load(tmp_path / "b.xml")
    assert [shape.color for shape in model.bodies["a"].shapes[:2]] == [(1.0, 0.2, 0.1), (0.25, 0.0, 0.25)]
    table = drawing(model)
    assert [shape["kind"] for shape in table["bodies"][0]["shapes"]] == ["mesh", "mesh"]


def shown_colours(mujoco, model):
    """The colours that MuJoCo would draw its geoms with."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene, everything = mujoco.MjvScene(model, maxgeom=50), mujoco.mjtCatBit.mjCAT_ALL
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), everything, scene)
    colors = {g.objid: g.rgba for g in scene.geoms[: scene.ngeom] if g.objtype == mujoco.mjtObj.mjOBJ_GEOM}
    return [colors[k] for k in range(model.ngeom)]


@pytest.mark.peers
def test_colours_of_random_classes_materials_and_geoms(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    write(tmp_path / "m.stl", tetrahedron(np.random.default_rng(0)))
    rng = np.random.default_rng(3)

    def rgba(chance):
        grey = rng.random() < 0.2
        color = (0.5, 0.5, 0.5, 1.0) if grey else (*rng.uniform(0, 1, 3), 1.0)
        return f'rgba="{text(color)}"' if rng.random() < chance else ""

    for _ in range(CASES):
        kinds = rng.choice(['type="mesh" mesh="m"', 'size=".1"'], 4)
        geoms = "".join(
            f'<geom {kind} {rgba(0.4)} {"" if rng.random() < 0.5 else chr(32) + f"""material="{k % 2}" """}/>'
            for k, kind in enumerate(kinds)
        )
        (tmp_path / "a.xml").write_text(
            f"<mujoco><default><geom {rgba(0.5)}/><material {rgba(0.5)}/></default><asset>"
            f'<material name="0" {rgba(0.7)}/><material name="1"/><mesh name="m" file="m.stl"/></asset>'
            f'<worldbody><body name="a"><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>{geoms}</body>'
            "</worldbody></mujoco>"
        )
        theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml"))
        shapes = hs.load(tmp_path / "a.xml").bodies["a"].shapes
        assert len(shapes) == theirs.ngeom
        for shape, expected in zip(shapes, shown_colours(mujoco, theirs), strict=True):
            # a geom that says no colour is grey there and of the colour of its body here
            np.testing.assert_allclose(shape.color or (0.5, 0.5, 0.5), expected[:3], atol=1e-6)


@pytest.mark.parametrize("path", ["../m.stl", "/etc/m.stl", "http://a/m.stl", "m.png", "a\\m.stl"])
def test_meshes_outside_the_folder_are_left_out_with_a_note(tmp_path, path):
    (tmp_path / "model").mkdir()
    write(tmp_path / "m.stl", tetrahedron(np.random.default_rng(0)))
    content = COLORS.replace('file="m.stl"', f'file="{path}"').replace('rgba="{own}"', "")
    (tmp_path / "model" / "a.xml").write_text(content.replace('rgba="{other}"', ""))
    model = hs.load(tmp_path / "model" / "a.xml")
    assert not [s for s in model.bodies["a"].shapes if s.type_name == "mesh"]
    assert any("mesh that is not read: m: " in note for note in model.notes)


def test_missing_files_are_named_in_one_note_and_one_notice(tmp_path):
    content = COLORS.replace('rgba="{own}"', "").replace('rgba="{other}"', "")
    content = content.replace("</asset>", '<mesh name="n" file="n.obj"/></asset>')
    content = content.replace('mesh="m" pos', 'mesh="n" pos')
    (tmp_path / "a.xml").write_text(content)
    model = hs.load(tmp_path / "a.xml")
    notes = [note for note in model.notes if "not there" in note]
    assert len(notes) == 1 and "m.stl" in notes[0] and "n.obj" in notes[0]
    table = drawing(model, start_values(model))
    assert len(table["notices"]) == 1 and "m.stl" in table["notices"][0] and "n.obj" in table["notices"][0]
    assert table["bodies"][0]["shapes"]
