"""Pictures of robots in files, beside those that MuJoCo takes of the same pose.

python tools/beside_mujoco.py FOLDER FILE ...          needs chromium, MuJoCo, and MUJOCO_GL=egl or osmesa

Each picture has ours on the left and MuJoCo's on the right, seen by the same camera. MuJoCo gets a URDF
with meshes that it reads (STL, OBJ); COLLADA and glTF are written as OBJ for it.
GEOM_GROUPS=1 chooses the groups of geoms that it draws.
"""

import os
import sys
import tempfile
import xml.etree.ElementTree as Xml
from pathlib import Path
from typing import Any

import numpy as np
from scene_pictures import still_page

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]
WIDTH, HEIGHT = 480, 420
CAMERA = """(() => {
  const { camera } = scene.man, e = camera.matrixWorld.elements;
  const part = (k) => [e[k], e[k + 1], e[k + 2]];
  return { place: part(12), back: part(8), up: part(4), field: camera.fov };
})()"""


def theirs(file: Path, folder: Path) -> Any:
    """MuJoCo's model of a file; of a URDF, its visual meshes as OBJ files in a folder."""
    import mujoco

    if file.suffix == ".urdf":
        text = _urdf_for_mujoco(file, folder)
        model = mujoco.MjSpec.from_file(str(text))
    else:
        model = mujoco.MjSpec.from_file(str(file))
    model.visual.global_.offwidth, model.visual.global_.offheight = WIDTH, HEIGHT
    light: Any = model.worldbody.add_light(pos=[0, 0, 3], dir=[-0.5, 0.6, -1])
    light.type = mujoco.mjtLightType.mjLIGHT_DIRECTIONAL
    model.worldbody.add_camera(name="beside", fovy=26)
    return model


def _urdf_for_mujoco(file: Path, folder: Path) -> Path:
    """The URDF with one OBJ file for each colour of a mesh, and without shapes for contacts."""
    from hapsis.mechanics.formats.mesh_paths import mesh_file
    from hapsis.mechanics.formats.meshes.read_mesh import read_mesh

    root = Xml.parse(file).getroot()
    for joint in root.iter("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
    colors = {m.get("name"): m.find("color") for m in root.findall("material")}
    count = 0
    for link in root.iter("link"):
        for collision in link.findall("collision"):
            link.remove(collision)
        for visual in link.findall("visual"):
            mesh = visual.find("geometry/mesh")
            source = mesh_file(mesh.get("filename", ""), file.parent) if mesh is not None else None
            if source is None:
                continue
            link.remove(visual)
            for piece in read_mesh(source):
                count += 1
                (folder / f"{count}.obj").write_text(_obj(piece))
                link.append(_part(visual, f"{count}.obj", piece.color, colors))
    options = Xml.SubElement(root, "mujoco")
    rules = {"fusestatic": "false", "discardvisual": "false", "balanceinertia": "true", "strippath": "true"}
    Xml.SubElement(options, "compiler", meshdir=str(folder), inertiafromgeom="false", **rules)
    (folder / "model.urdf").write_text(Xml.tostring(root, encoding="unicode"))
    return folder / "model.urdf"


def _obj(piece: Any) -> str:
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in piece.vertices]
    return "\n".join([*lines, *(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in piece.triangles)])


def _part(visual: Any, name: str, color: Any, colors: dict[str | None, Any]) -> Any:
    """A visual with one mesh, and the colour of its material, else that of the mesh."""
    part = Xml.fromstring(Xml.tostring(visual))
    part.find("geometry/mesh").set("filename", name)
    rgba = None if color is None else " ".join(map(str, (*color, 1)))
    for material in part.findall("material"):
        own = material.find("color")
        own = colors.get(material.get("name")) if own is None else own
        rgba = own.get("rgba") if own is not None else rgba
        part.remove(material)
    if rgba is not None:
        Xml.SubElement(Xml.SubElement(part, "material", name=name), "color", rgba=rgba)
    return part


def posed(model: Any, spec: Any, q: Any) -> tuple[Any, Any]:
    """MuJoCo's model and data at our coordinates, by the names of joints."""
    import mujoco

    compiled = spec.compile()
    data = mujoco.MjData(compiled)
    values = dict(zip(model.coordinates, q, strict=True))
    for k in range(compiled.njnt):
        name, at = compiled.joint(k).name, compiled.jnt_qposadr[k]
        if name in values:
            data.qpos[at] = values[name]
    mujoco.mj_forward(compiled, data)
    return compiled, data


def picture(compiled: Any, data: Any, seen: dict[str, Any], groups: tuple[int, ...]) -> Any:
    """What MuJoCo draws, seen by a camera with that place and axes."""
    import mujoco

    back, up = np.array(seen["back"]), np.array(seen["up"])
    right = np.cross(up, back)
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, np.stack([right, up, back], axis=1).ravel())
    camera = compiled.camera("beside").id
    compiled.cam_pos[camera], compiled.cam_quat[camera] = seen["place"], quaternion
    compiled.cam_fovy[camera] = seen["field"]
    mujoco.mj_forward(compiled, data)
    options = mujoco.MjvOption()
    options.geomgroup[:] = [k in groups for k in range(6)]
    renderer = mujoco.Renderer(compiled, HEIGHT, WIDTH)
    renderer.update_scene(data, camera="beside", scene_option=options)
    pixels = renderer.render()
    renderer.close()
    pixels = np.where((pixels == 0).all(axis=2, keepdims=True), 235, pixels)
    return np.ascontiguousarray(pixels.astype(np.uint8))


def main() -> None:
    """Take the pictures."""
    import browser  # pyright: ignore[reportMissingImports]
    from doc_pictures import COLOURS, LARGEST, pixels, png

    import hapsis as hs

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    groups = tuple(int(x) for x in os.environ.get("GEOM_GROUPS", "0,1,2").split(","))
    window = browser.Browser(browser.found())
    try:
        for text in sys.argv[2:]:
            file = Path(text)
            model = hs.load(file)
            name = file.stem if file.stem not in ("robot", "model") else file.parent.name
            page_file = folder / f"{name}.html"
            page_file.write_text(still_page(model, name), encoding="utf-8")
            page = window.open(page_file, WIDTH, HEIGHT)
            page.until("scene.firstFrame > 0")
            page.value("scene.finest()")
            ours, seen = page.picture(), page.value(CAMERA)
            with tempfile.TemporaryDirectory() as own:
                compiled, data = posed(model, theirs(file, Path(own)), hs.assemble(model).q)
                other = picture(compiled, data, seen, groups)
            page.close()
            joined = np.concatenate([pixels(window, ours)[:, :, :3], other], axis=1)
            raw = next(content for most in COLOURS if len(content := png(joined, most)) <= LARGEST)
            (folder / f"{name}.png").write_bytes(raw)
            size = page_file.stat().st_size
            page_file.unlink()
            print(f"{name}: page of {size / 1e6:.1f} MB, picture of {len(raw) / 1e3:.0f} kB")
    finally:
        window.close()


if __name__ == "__main__":
    main()
