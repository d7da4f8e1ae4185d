"""Bodies that nothing but contacts holds: in a drift they keep their momenta and move straight, to rounding.

The integrator of a drift turns them; what they are after it follows from their momenta p and L in the world,

    u, ω from M (ω, u) = (Rᵀ (L - x × p), Rᵀ p)        x + R c goes on by p / m

with the mass matrix M of a free joint in its own axes, which is constant, and the centre of mass c.
"""

from hapsis.compiler.native import Array, at, native
from hapsis.motion.solvers.contact.contact_memory import ContactScene


@native
def rotation_of(q: Array, R: Array) -> None:
    """R by rows of the unit quaternion w, x, y, z."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    R[0] = 1.0 - 2.0 * (y * y + z * z)
    R[1] = 2.0 * (x * y - w * z)
    R[2] = 2.0 * (x * z + w * y)
    R[3] = 2.0 * (x * y + w * z)
    R[4] = 1.0 - 2.0 * (x * x + z * z)
    R[5] = 2.0 * (y * z - w * x)
    R[6] = 2.0 * (x * z - w * y)
    R[7] = 2.0 * (y * z + w * x)
    R[8] = 1.0 - 2.0 * (x * x + y * y)


@native
def times6(M: Array, x: Array, out: Array) -> None:
    """out = M x of six numbers."""
    for i in range(6):
        total = 0.0
        for j in range(6):
            total += M[6 * i + j] * x[j]
        out[i] = total


@native
def keep_momenta(scene: ContactScene, y: Array) -> None:
    """Notes the momenta and the centres of all free bodies: L about the world's origin, p, centre."""
    R = scene.turned
    for k in range(scene.free_count):
        q = at(y, int(scene.free_q[k]))
        kept = at(scene.momenta, 9 * k)
        rotation_of(at(q, 3), R)
        own = scene.six
        times6(at(scene.free_mass, 36 * k), at(y, int(scene.free_v[k])), own)
        c = at(scene.free_center, 3 * k)
        for i in range(3):
            row = at(R, 3 * i)
            kept[i] = row[0] * own[0] + row[1] * own[1] + row[2] * own[2]
            kept[3 + i] = row[0] * own[3] + row[1] * own[4] + row[2] * own[5]
            kept[6 + i] = q[i] + row[0] * c[0] + row[1] * c[1] + row[2] * c[2]
        kept[0] += q[1] * kept[5] - q[2] * kept[4]
        kept[1] += q[2] * kept[3] - q[0] * kept[5]
        kept[2] += q[0] * kept[4] - q[1] * kept[3]


@native
def restore_momenta(scene: ContactScene, y: Array, span: float) -> None:
    """Gives all free bodies the momenta that were noted; their centres have gone on for `span` seconds."""
    R = scene.turned
    own = scene.six
    for k in range(scene.free_count):
        q = at(y, int(scene.free_q[k]))
        kept = at(scene.momenta, 9 * k)
        rotation_of(at(q, 3), R)
        c = at(scene.free_center, 3 * k)
        mass = scene.free_mass[36 * k + 35]
        for i in range(3):
            row = at(R, 3 * i)
            q[i] = kept[6 + i] + span * kept[3 + i] / mass - (row[0] * c[0] + row[1] * c[1] + row[2] * c[2])
        lx = kept[0] - (q[1] * kept[5] - q[2] * kept[4])
        ly = kept[1] - (q[2] * kept[3] - q[0] * kept[5])
        lz = kept[2] - (q[0] * kept[4] - q[1] * kept[3])
        for i in range(3):
            own[i] = R[i] * lx + R[3 + i] * ly + R[6 + i] * lz
            own[3 + i] = R[i] * kept[3] + R[3 + i] * kept[4] + R[6 + i] * kept[5]
        times6(at(scene.free_inverse, 36 * k), own, at(y, int(scene.free_v[k])))
