"""Mesh files: one solid in every format gives one volume; thinned surfaces stay where they were."""

import base64
import json
import os
import struct
import time

import numpy as np
import pytest

from hapsis.errors import ModelError
from hapsis.mechanics.formats.meshes.pieces import Piece
from hapsis.mechanics.formats.meshes.read_mesh import read_mesh
from hapsis.mechanics.formats.meshes.thinning import merged, thinned

VERTICES = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
SQUARES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
TRIANGLES = np.array([t for a, b, c, d in SQUARES for t in ((a, b, c), (a, c, d))])


def volume(pieces):
    a, b, c = (np.concatenate([p.vertices[p.triangles[:, k]] for p in pieces]) for k in range(3))
    return float(np.einsum("ti,ti->t", a, np.cross(b, c)).sum() / 6)


def stl_binary(folder):
    corners = VERTICES[TRIANGLES]
    rows = b"".join(bytes(12) + t.astype("<f4").tobytes() + bytes(2) for t in corners)
    (folder / "a.stl").write_bytes(
        b"solid of eighty bytes".ljust(80) + struct.pack("<I", len(corners)) + rows
    )
    return folder / "a.stl"


def stl_text(folder):
    lines = ["solid box"]
    for t in VERTICES[TRIANGLES]:
        lines += [
            "facet normal 0 0 0",
            "outer loop",
            *(f"vertex {x} {y} {z}" for x, y, z in t),
            "endloop",
            "endfacet",
        ]
    (folder / "b.stl").write_text("\n".join([*lines, "endsolid"]))
    return folder / "b.stl"


def obj(folder):
    lines = [f"v {x} {y} {z}" for x, y, z in VERTICES]
    lines += ["f " + " ".join(f"{k + 1}/7/7" for k in SQUARES[0])]
    lines += ["f " + " ".join(str(k - 8) for k in square) for square in SQUARES[1:]]  # from the end
    (folder / "a.obj").write_text("# a box\n" + "\n".join(lines))
    return folder / "a.obj"


def collada(folder, up="Z_UP", meter=1.0):
    p = " ".join(f"{k} 0" for k in TRIANGLES.ravel())
    places = VERTICES / meter if up == "Z_UP" else VERTICES[:, [0, 2, 1]] * [1, 1, -1] / meter
    numbers = " ".join(map(str, places.ravel()))
    text = f"""<COLLADA><asset><unit meter="{meter}"/><up_axis>{up}</up_axis></asset>
    <library_effects><effect id="e"><profile_COMMON><technique><phong><diffuse>
    <color>1 .5 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
    <library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
    <library_geometries><geometry id="g"><mesh><source id="s">
    <float_array>{numbers}</float_array></source>
    <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
    <triangles material="x" count="12"><input semantic="VERTEX" source="#v" offset="0"/>
    <input semantic="NORMAL" source="#s" offset="1"/><p>{p}</p></triangles></mesh></geometry>
    </library_geometries>
    <library_visual_scenes><visual_scene id="w"><node><translate>0 0 0</translate><rotate>0 0 1 90</rotate>
    <rotate>0 0 1 -90</rotate><instance_geometry url="#g"><bind_material><technique_common>
    <instance_material symbol="x" target="#m"/></technique_common></bind_material></instance_geometry></node>
    </visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>"""
    (folder / f"a{up}.dae").write_text(text)
    return folder / f"a{up}.dae"


def gltf(folder, binary=False):
    # y is up in these files
    places = (VERTICES[:, [0, 2, 1]] * [1, 1, -1]).astype("<f4").tobytes()
    data = places + TRIANGLES.astype("<u2").tobytes()
    views = [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}]
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
        {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
    ]
    document = {
        "scenes": [{"nodes": [0]}],
        "nodes": [{"children": [1], "translation": [1, 0, 0]}, {"mesh": 0, "translation": [-1, 0, 0]}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "bufferViews": views,
        "accessors": accessors,
        "buffers": [{"byteLength": len(data)}],
    }
    if not binary:
        document["buffers"][0]["uri"] = (
            "data:application/octet-stream;base64," + base64.b64encode(data).decode()
        )
        (folder / "a.gltf").write_text(json.dumps(document))
        return folder / "a.gltf"
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(data), b"BIN\0") + data
    (folder / "a.glb").write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return folder / "a.glb"


FORMATS = {
    "stl": stl_binary,
    "stl text": stl_text,
    "obj": obj,
    "collada": collada,
    "collada y": lambda f: collada(f, "Y_UP"),
    "collada mm": lambda f: collada(f, meter=0.001),
    "gltf": gltf,
    "glb": lambda f: gltf(f, binary=True),
}


@pytest.mark.parametrize("name", FORMATS)
def test_a_box_in_every_format(name, tmp_path):
    pieces = read_mesh(FORMATS[name](tmp_path))
    assert volume(pieces) == pytest.approx(6.0, rel=1e-6)
    places = np.concatenate([piece.vertices for piece in pieces])
    np.testing.assert_allclose([places.min(axis=0), places.max(axis=0)], [[0, 0, 0], [1, 2, 3]], atol=1e-6)
    if name.startswith("collada"):
        assert pieces[0].color == (1.0, 0.5, 0.0)
    assert len(merged(pieces[0]).vertices) == 8


@pytest.mark.parametrize("name", FORMATS)
def test_files_that_are_cut_or_changed_are_errors_or_meshes_but_nothing_else(name, tmp_path):
    file = FORMATS[name](tmp_path)
    data = file.read_bytes()
    rng = np.random.default_rng(5)
    for _ in range(40):
        wrong = bytearray(data[: rng.integers(0, len(data))] if rng.random() < 0.5 else data)
        for k in rng.integers(0, max(len(wrong), 1), 4 if len(wrong) else 0):
            wrong[k] = rng.integers(0, 256)
        file.write_bytes(bytes(wrong))
        try:
            for piece in read_mesh(file):
                assert np.isfinite(piece.vertices).all()
        except ModelError as error:
            assert file.name in str(error)


def test_hostile_files_are_refused(tmp_path):
    bomb = tmp_path / "bomb.dae"
    bomb.write_text('<!DOCTYPE a [<!ENTITY b "bbbb">]><COLLADA>&b;</COLLADA>')
    with pytest.raises(ModelError, match="entities"):
        read_mesh(bomb)
    other = tmp_path / "other.gltf"
    other.write_text(gltf(tmp_path).read_text().replace("data:application", "https://example.org/"))
    with pytest.raises(ModelError, match="another file"):
        read_mesh(other)
    for field, value in (("byteOffset", -64), ("byteStride", -4), ("byteOffset", 1e9)):
        document = json.loads(gltf(tmp_path).read_text())
        document["bufferViews"][0][field] = value
        other.write_text(json.dumps(document))
        with pytest.raises(ModelError, match="beyond"):
            read_mesh(other)
    with pytest.raises(ModelError, match="not there"):
        read_mesh(tmp_path / "absent.stl")
    (tmp_path / "a.xyz").write_text("")
    with pytest.raises(ModelError, match="no kind"):
        read_mesh(tmp_path / "a.xyz")


def sphere(count):
    """A ball of radius 1 as a grid of angles."""
    u, v = np.meshgrid(np.linspace(0, np.pi, count), np.linspace(0, 2 * np.pi, 2 * count), indexing="ij")
    places = np.stack([np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)], axis=-1)
    number = np.arange(u.size).reshape(u.shape)
    a, b, c, d = (x.ravel() for x in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
    return merged(
        Piece(places.reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))
    )


@pytest.mark.parametrize("cell", [0.05, 0.1, 0.2])
def test_a_thinned_ball_is_a_ball(cell):
    fine = sphere(150)
    coarse = thinned(fine, cell)
    assert len(coarse.triangles) < 0.8 * len(fine.triangles)
    radii = np.linalg.norm(coarse.vertices, axis=1)
    assert abs(radii - 1.0).max() < 0.6 * cell**2 + 0.01 * cell
    assert volume([coarse]) == pytest.approx(4.18879, rel=cell)


def test_edges_and_corners_of_a_box_stay_sharp():
    steps = np.linspace(0, 1, 60)
    pieces = []
    for axis in range(3):
        for end in (0.0, 1.0):
            u, v = (x.ravel() for x in np.meshgrid(steps, steps, indexing="ij"))
            places = np.insert(np.stack([u, v], axis=1), axis, end, axis=1)
            number = np.arange(3600).reshape(60, 60)
            a, b, c, d = (
                x.ravel() for x in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:])
            )
            pieces.append((places, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])))
    vertices = np.concatenate([p for p, _ in pieces])
    triangles = np.concatenate([t + 3600 * k for k, (_, t) in enumerate(pieces)])
    coarse = thinned(merged(Piece(vertices, triangles)), 0.13)
    for corner in VERTICES / [1, 2, 3]:
        assert np.linalg.norm(coarse.vertices - corner, axis=1).min() < 1e-6
    inside = np.abs(coarse.vertices - 0.5).max(axis=1)
    assert abs(inside - 0.5).max() < 1e-6  # every vertex is on a face


def gltf_document(folder, change):
    """The file of the box, with a change."""
    document = json.loads(gltf(folder).read_text())
    change(document)
    file = folder / "hostile.gltf"
    file.write_text(json.dumps(document))
    return file


def repeated_children(document):
    """Sixty levels of nodes, each with the next one ten times: 10^60 boxes."""
    document["nodes"] = [{"children": [k + 1] * 10} for k in range(60)] + [{"mesh": 0}]


def repeated_mesh(document):
    """One million boxes."""
    document["meshes"][0]["primitives"] *= 1000
    document["nodes"] = [{"children": [1] * 1000}, {"mesh": 0}]


def endless_accessor(document):
    """An accessor that reads the same bytes a million million times."""
    document["bufferViews"][0]["byteStride"] = 0
    document["accessors"][0]["count"] = 10**12


def many_accessors(document):
    """A buffer that would be decoded for each of its accessors."""
    document["nodes"] = [{"children": [1] * 1000}, {"mesh": 0}]
    document["meshes"][0]["primitives"] *= 20
    uri = document["buffers"][0]["uri"]
    document["buffers"][0]["uri"] = uri + "A" * 4_000_000


def deep(document):
    document["nodes"] = [{"children": [k + 1]} for k in range(1000)] + [{"mesh": 0}]


HOSTILE = {f.__name__: f for f in (repeated_children, repeated_mesh, endless_accessor, many_accessors, deep)}


@pytest.mark.parametrize("name", HOSTILE)
def test_small_files_that_would_be_huge_end_soon(name, tmp_path):
    """In bounded time and memory, with an error that names the file, or a mesh that is not too large."""
    import tracemalloc

    file = gltf_document(tmp_path, HOSTILE[name])
    tracemalloc.start()
    begin = time.process_time()
    try:
        assert sum(len(piece.triangles) for piece in read_mesh(file)) < 3_000_000
    except ModelError as error:
        assert file.name in str(error)
    seconds, (_, most) = time.process_time() - begin, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 60 and most < 2e9


def test_other_hostile_files(tmp_path):
    nested = tmp_path / "nested.gltf"
    nested.write_text("[" * 200_000)
    with pytest.raises(ModelError, match="nested"):
        read_mesh(nested)
    hidden = tmp_path / "hidden.dae"  # entities in an encoding in which they are not found as bytes
    hidden.write_bytes(
        '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bb">]><COLLADA>&b;</COLLADA>'.encode("utf-16")
    )
    with pytest.raises(ModelError, match="UTF-8"):
        read_mesh(hidden)
    again = tmp_path / "again.dae"
    instance = '<instance_geometry url="#g"/>'
    text = collada(tmp_path).read_text()
    again.write_text(text.replace("<instance_geometry", instance * 300_000 + "<instance_geometry", 1))
    with pytest.raises(ModelError, match="million triangles"):
        read_mesh(again)
    far = tmp_path / "far.obj"
    far.write_text("v 1e300 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3")
    with pytest.raises(ModelError, match="farther"):
        read_mesh(far)
    short = tmp_path / "short.msh"
    short.write_bytes(struct.pack("<4i", 2**30, 0, 0, 2**30) + bytes(100))
    with pytest.raises(ModelError, match="MSH"):
        read_mesh(short)
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.stl")  # opening it would wait for ever
        with pytest.raises(ModelError, match="not there"):
            read_mesh(tmp_path / "pipe.stl")
    with (tmp_path / "long.stl").open("wb") as file:
        file.truncate(10**9)
    with pytest.raises(ModelError, match="larger than"):
        read_mesh(tmp_path / "long.stl")


def test_slivers_without_area_are_thinned_in_the_end(tmp_path):
    """Many triangles on one line have no area that says how coarse cells should be."""
    import hapsis as hs
    from hapsis.mechanics.drawing.drawing import drawing

    places = np.zeros((100_002, 3))
    places[:, 0] = np.linspace(0, 1, len(places))
    corners = np.stack([np.arange(100_000), np.arange(100_000) + 1, np.arange(100_000) + 2], axis=1)
    rows = b"".join(bytes(12) + t.astype("<f4").tobytes() + bytes(2) for t in places[corners])
    (tmp_path / "line.stl").write_bytes(bytes(80) + struct.pack("<I", len(corners)) + rows)
    (tmp_path / "a.urdf").write_text(
        '<robot name="r"><link name="b"><visual><geometry><mesh filename="line.stl"/></geometry></visual>'
        "</link></robot>"
    )
    table = drawing(hs.load(tmp_path / "a.urdf"))
    json.dumps(table, allow_nan=False)
