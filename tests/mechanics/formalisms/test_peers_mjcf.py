"""Agreement with MuJoCo on MJCF: random models with all we read, the example, closed loops."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest
from peer_models import evaluated

import hapsis as hs
from hapsis.mechanics.formats.mjcf.mjcf_reader import mjcf_model

pytestmark = [
    pytest.mark.peers,
    pytest.mark.skipif(sys.platform == "win32", reason="the other peers have no wheels there"),
]
MODELS = Path(__file__).resolve().parents[3] / "examples" / "models"
TOLERANCE = 1e-10
SEEDS = range(60)


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """MuJoCo writes its warnings into a file of the present folder."""
    monkeypatch.chdir(tmp_path)


def compared(text):
    """The worst relative differences of a model in both."""
    import mujoco
    import peer_mjcf

    ours = mjcf_model(text, "a.xml", MODELS)
    return peer_mjcf.differences(ours, mujoco.MjModel.from_xml_string(text))


def test_the_example(record_property):
    worst = compared((MODELS / "hopper.xml").read_text())
    for name, far in worst.items():
        record_property(name, far)
    assert max(worst.values()) < TOLERANCE, worst


class Writer:
    """A random MJCF text."""

    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.count = 0
        self.degrees = rng.random() < 0.5
        self.classes = ["main"]

    def numbers(self, count, low=-1.0, high=1.0):
        return " ".join(f"{self.rng.uniform(low, high):.6f}" for _ in range(count))

    def angle(self):
        return self.numbers(1, -90, 90) if self.degrees else self.numbers(1, -2, 2)

    def some(self, share=0.5):
        return self.rng.random() < share

    def turn(self):
        kind = self.rng.choice(["", "quat", "axisangle", "euler", "xyaxes", "zaxis"])
        if kind == "axisangle":
            return f'axisangle="{self.numbers(3)} {self.angle()}"'
        if kind == "euler":
            return f'euler="{self.angle()} {self.angle()} {self.angle()}"'
        count = {"quat": 4, "xyaxes": 6, "zaxis": 3}.get(kind, 0)
        return f'{kind}="{self.numbers(count)}"' if kind else ""

    def place(self):
        return f'pos="{self.numbers(3)}" {self.turn()}' if self.some(0.8) else self.turn()

    def new(self, kind):
        self.count += 1
        return f'name="{kind}_{self.count}"'

    def group(self):
        return f'class="{self.rng.choice(self.classes)}"' if self.some(0.3) else ""

    def geom(self):
        kind = self.rng.choice(["sphere", "box", "capsule", "cylinder", "ellipsoid"])
        size = self.numbers(3 if kind in ("box", "ellipsoid") else 2, 0.05, 0.3)
        place = self.place()
        if kind != "sphere" and self.some(0.3):
            place, size = f'fromto="{self.numbers(6)}"', self.numbers(1, 0.05, 0.1)
        heavy = self.rng.choice(["", 'mass="1.5"', 'density="300"', 'mass="0"'])
        group = f'group="{self.rng.randrange(5)}"' if self.some(0.3) else ""
        return f'<geom type="{kind}" size="{size}" {place} {heavy} {group} {self.group()}/>'

    def joint(self, kind):
        more = [self.new("j"), self.group(), f'type="{kind}"']
        angle = self.angle if kind == "hinge" else lambda: self.numbers(1)
        if kind in ("hinge", "slide"):
            more += [f'axis="{self.numbers(3)}"', f'ref="{angle()}"' if self.some() else ""]
            if self.some():
                more.append(f'stiffness="{self.numbers(1, 0, 9)}" springref="{angle()}"')
            if self.some():
                more.append('range="-0.5 0.75"')
            if self.some():
                more.append(f'armature="{self.numbers(1, 0, 1)}"')
        else:  # springs of these, and armature of free joints, are left out here, and listed
            more.append('stiffness="0"')
        if kind == "free":
            more.append('armature="0"')
        elif self.some():
            more.append(f'pos="{self.numbers(3)}"')
        more.append(f'damping="{self.numbers(1, 0, 1)}"' if self.some() else "")
        return f"<joint {' '.join(more)}/>"

    def joints(self, top):
        kinds = self.rng.choice(
            [
                "",
                "hinge",
                "hinge",
                "slide",
                "ball",
                "slide hinge",
                "hinge hinge hinge",
                "slide ball",
                "slide slide hinge",
                "free" if top else "hinge",
            ]
        )
        if kinds == "free" and self.some():
            return f"<freejoint {self.new('j')}/>"
        return "".join(map(self.joint, kinds.split()))

    def body(self, depth, top=True):
        inside = self.joints(top)
        if self.some(0.4):
            x = self.numbers(1, 0.5, 0.7), self.numbers(1, 0.5, 0.7), self.numbers(1, 0.5, 0.7)
            inertia = f'diaginertia="{" ".join(x)}" {self.turn()}'
            if self.some():
                inertia = f'fullinertia="{" ".join(x)} 0.05 -0.03 0.02"'
            inside += f'<inertial pos="{self.numbers(3)}" mass="1.2" {inertia}/>'
        inside += '<geom size="0.1" mass="1"/>' + "".join(self.geom() for _ in range(self.rng.randrange(3)))
        inside += f"<site {self.new('s')} {self.place()}/>"
        for _ in range(self.rng.randrange(3) if depth else 0):
            child = self.body(depth - 1, False)
            wrapped = f"<frame {self.place()}>{child}</frame>"
            inside += wrapped if self.some(0.3) else child
        group = f'childclass="{self.rng.choice(self.classes)}"' if self.some(0.3) else ""
        return f"<body {self.new('b')} {group} {self.place()}>{inside}</body>"

    def default(self):
        self.classes += ["p", "q"]
        return (
            '<default><joint damping="0.3"/><geom density="700"/><default class="p">'
            '<joint armature="0.2"/><default class="q"><joint damping="0.1" stiffness="2"/>'
            f'<geom quat="{self.numbers(4)}"/></default></default></default>'
        )

    def text(self):
        angle = "degree" if self.degrees else "radian"
        sequence = "".join(self.rng.choice("xyzXYZ") for _ in range(3))
        groups = 'inertiagrouprange="0 3"' if self.some(0.3) else ""
        from_geoms = self.rng.choice(["auto", "true"])
        total = 'settotalmass="7"' if self.some(0.2) else ""
        default = self.default() if self.some(0.7) else ""
        bodies = "".join(self.body(2) for _ in range(2))
        return (
            f'<mujoco><compiler angle="{angle}" eulerseq="{sequence}" {groups} {total} '
            f'inertiafromgeom="{from_geoms}"/><option gravity="{self.numbers(3, -9, 9)}"/>'
            f"{default}<worldbody>{bodies}</worldbody></mujoco>"
        )


def test_random_models(record_property):
    worst = {}
    for seed in SEEDS:
        text = Writer(seed).text()
        for name, far in compared(text).items():
            assert far < TOLERANCE, (seed, name, far, text)
            worst[name] = max(far, worst.get(name, 0.0))
    for name, far in worst.items():
        record_property(name, far)


LOOP = """
<mujoco>
  <worldbody>
    <body name="a" pos="0.1 0.2 0.3" euler="10 20 30">
      <joint name="a" axis="1 2 3" ref="20"/><geom size="0.1"/>
      <body name="b" pos="0.5 0 0" quat="1 0.2 0.3 0.4">
        <joint name="b" type="ball"/><geom size="0.1"/><site name="s" pos="0.1 0 0" zaxis="1 1 1"/>
      </body>
    </body>
    <body name="c" pos="0.4 0.5 0.6" axisangle="1 1 0 40">
      <joint name="c" type="slide" axis="0 1 1" ref="0.2"/><geom size="0.1"/>
      <site name="t" pos="0 0.2 0" euler="0 50 0"/>
    </body>
  </worldbody>
  <equality>%s</equality>
</mujoco>
"""


@pytest.mark.parametrize(
    "equality",
    [
        '<connect body1="b" body2="c" anchor="0.1 0.2 0.3"/>',
        '<connect body1="b" anchor="0.1 0.2 0.3"/>',
        '<connect site1="s" site2="t"/>',
        '<weld body1="b" body2="c"/>',
        '<weld body1="c" body2="b" anchor="0.3 0.2 0.1"/>',
        '<weld body1="b" body2="c" relpose="0.1 0.2 0.3 1 0.5 0.2 0.1" anchor="0.1 0 0"/>',
        '<weld body1="b"/>',
        '<weld site1="t" site2="s"/>',
    ],
)
def test_what_closes_a_loop(equality):
    """The gap that MuJoCo sees between two bodies is that between the two ends of our joint."""
    import mujoco
    import peer_mjcf

    text = LOOP % equality
    theirs, ours = mujoco.MjModel.from_xml_string(text), mjcf_model(text, "a.xml", MODELS)
    (cut,) = ours.cuts
    tree = peer_mjcf.without_loops(ours)
    q, v = peer_mjcf.Peer(theirs, ours).states()
    theirs.opt.disableflags = 0
    data = mujoco.MjData(theirs)
    ends = {"first": cut.first, "second": cut.second}
    sensors = [hs.Sensor(name, "pose", end) for name, end in ends.items()]
    found = evaluated(hs.measurements(tree + sensors), q, v, v)
    for k in range(len(q)):
        data.qpos[:] = q[k]
        mujoco.mj_forward(theirs, data)
        gap = found["first.p"][k] - found["second.p"][k]
        np.testing.assert_allclose(gap, data.efc_pos[:3], atol=1e-13)
        if isinstance(cut, hs.Weld):  # half the angle between the two: its sine along the axis
            turn = found["first.R"][k].T @ found["second.R"][k]
            sine = np.sqrt(max(0.0, (3 - np.trace(turn)) / 4))
            assert np.linalg.norm(data.efc_pos[3:6]) == pytest.approx(sine, abs=1e-9)


@pytest.mark.parametrize(("a", "b"), [(0.0, 1.0), (0.3, -2.0)])
def test_gears(a, b):
    import mujoco

    text = LOOP % f'<joint joint1="c" joint2="a" polycoef="{a} {b} 0 0 0"/>'
    theirs, ours = mujoco.MjModel.from_xml_string(text), mjcf_model(text, "a.xml", MODELS)
    (gear,) = ours.constraints.values()
    data = mujoco.MjData(theirs)
    data.qpos[:] = [0.7, 1, 0, 0, 0, -0.4]
    mujoco.mj_forward(theirs, data)
    gap = -0.4 - (gear.ratio * 0.7 + gear.offset)
    assert data.efc_pos[0] == pytest.approx(gap, abs=1e-14)


def test_keys():
    """The pose of a key moves as the key does."""
    import mujoco
    import peer_mjcf

    keys = '<keyframe><key name="k" qpos="1 2 3 1 0.5 0.2 0.1 0.3" qvel="1 2 3 4 5 6 7"/></keyframe>'
    text = (
        '<mujoco><worldbody><body name="a"><freejoint/><geom size="0.1"/></body>'
        f'<body><joint/><geom size="0.1"/></body></worldbody>{keys}</mujoco>'
    )
    theirs, ours = mujoco.MjModel.from_xml_string(text), mjcf_model(text, "a.xml", MODELS)
    pose, data = ours.pose("k"), mujoco.MjData(theirs)
    q, v = (np.array([pose[n] for n in names]) for names in (ours.coordinates, ours.speeds))
    mujoco.mj_resetDataKeyframe(theirs, data, 0)
    np.testing.assert_allclose(data.qpos, q, atol=1e-14)
    peer = peer_mjcf.Peer(theirs, ours)
    peer.set(q, v)
    np.testing.assert_allclose(data.qvel, peer.data.qvel, atol=1e-14)
