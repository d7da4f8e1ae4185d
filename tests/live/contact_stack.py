"""Boxes on a floor, which rest on each other."""

import hapsis as hs

SIDE = 0.2  # m


def stack(count=3, friction=0.5):
    """Boxes one above the other, a millimetre apart and a little beside each other."""
    law = {"law": hs.HuntCrossley(1e5, 1.0, 3.0), "friction": friction}
    boxes = [f"box{k}" for k in range(count)]
    solid, facts = hs.Box((SIDE, SIDE, SIDE)), []
    for k, box in enumerate(boxes):
        facts += [hs.Body.box(box, (SIDE, SIDE, SIDE), mass=1.0), hs.Free(f"free{k}", hs.WORLD, box)]
        facts.append(hs.Contact(f"{box}_floor", (box, solid), (hs.WORLD, hs.Plane("z")), **law))
        facts += [hs.Contact(f"{other}_{box}", (other, solid), (box, solid), **law) for other in boxes[:k]]
    pose = {f"free{k}.z": SIDE * (k + 0.5) + 1e-3 * (k + 1) for k in range(count)}
    pose |= {"free1.x": 0.03, "free2.x": 0.01} if count > 2 else {}
    return hs.Model(*facts, poses={"start": pose})
