"""Boxes: three crates fall on each other and come to rest as a stack."""

import hapsis as hs

names, law = ("low", "middle", "high"), hs.HuntCrossley(1e6, power=1.0, restitution=0.2)
floor = hs.WORLD.plane("z")
scene = hs.Model(
    [hs.Body.box(name, size=(0.4, 0.3, 0.2), density=200) for name in names],
    [hs.Free(name, hs.WORLD, name) for name in names],
    hs.Contact("floor", hs.Surface("low"), floor, law=law, friction=0.5),
    hs.Contact("first", hs.Surface("middle"), hs.Surface("low"), law=law, friction=0.5),
    hs.Contact("second", hs.Surface("high"), hs.Surface("middle"), law=law, friction=0.5),
)
start = {"low.z": 0.11, "middle.z": 0.35, "high.z": 0.60, "middle.x": 0.05, "high.y": 0.05}
result = hs.simulate(scene, until=3.0, start=start)
print([result[f"{name}.z"][-1] for name in names], [result[f"{n}.force"][-1] for n in scene.contacts])
result.save("boxes.html")
