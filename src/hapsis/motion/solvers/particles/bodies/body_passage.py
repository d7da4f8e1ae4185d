"""Particles and shapes that move through each other: ways that a step skips, and shapes that give way.

A step is too long where a particle's way, as the shape sees it, goes deeper into the shape than both of its
ends, or ends in it on the other side. A particle that is in contact at both ends of a step and is pushed the
opposite way at the end has gone through the middle of the shape: the contact was too soft to stop it.
"""

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.bodies.body_contacts import place_piece
from hapsis.motion.solvers.particles.bodies.model_memory import LAW, ModelMemory
from hapsis.motion.solvers.particles.bodies.shape_distance import shape_distance
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

PART = 0.25  # of half the thickness of a shape: shorter ways skip nothing
STRIDE = 0.05  # of it: the shortest stride along a way
STRIDES = 2000  # along a way; what takes more is tried again with a shorter step


@native
def skips_body(scene: ParticleMemory) -> bool:
    """Whether a particle of the step that was tried passes a shape unseen."""
    m = scene.model
    longest = 0.0
    for i in range(scene.count):
        dx, dy, dz = way_of(scene, i, 0), way_of(scene, i, 1), way_of(scene, i, 2)
        square = dx * dx + dy * dy + dz * dz
        longest = square if square > longest else longest
    longest = sqrt(longest)
    for k in range(m.piece_count):
        if m.piece_half[k] > 0.0 and skips_piece(scene, k, longest):
            return True
    return False


@native
def way_of(scene: ParticleMemory, i: int, c: int) -> float:
    """One component of the way of a particle in the step that was tried."""
    return scene.next_x[3 * i + c] - scene.x[3 * i + c]


@native
def skips_piece(scene: ParticleMemory, k: int, longest: float) -> bool:
    """The same for one shape, with the longest way of any particle."""
    m, old = scene.model, scene.model.old_pose
    new, reach = at(m.pose, 12 * k), m.piece_reach[k] + m.piece_law[LAW * k + 5]
    place_piece(m, k, m.poses, old)
    shift, turn = 0.0, 0.0
    for c in range(3):
        shift += (new[9 + c] - old[9 + c]) * (new[9 + c] - old[9 + c])
    for c in range(9):
        turn += (new[c] - old[c]) * (new[c] - old[c])
    shift, turn = sqrt(shift), sqrt(turn)
    # what is farther from the shape than its reach and all ways cannot meet it
    if longest + shift + turn * (reach + longest + shift) <= PART * m.piece_half[k]:
        return False
    for i in range(scene.count):
        if m.touches[k * scene.count + i] == 0:
            continue
        local(old, scene.x, i, m.way_start)
        local(new, scene.next_x, i, m.way_end)
        if near(m.way_start, m.way_end, reach) and skips_way(m, k):
            return True
    return False


@native
def local(pose: Array, x: Array, i: int, out: Array) -> None:
    """A particle in the frame of a shape."""
    dx, dy, dz = x[3 * i] - pose[9], x[3 * i + 1] - pose[10], x[3 * i + 2] - pose[11]
    for c in range(3):
        out[c] = pose[c] * dx + pose[3 + c] * dy + pose[6 + c] * dz


@native
def near(start: Array, end: Array, reach: float) -> bool:
    """Whether a way comes as near to the origin."""
    along, square, from_start = 0.0, 0.0, 0.0
    for c in range(3):
        d = end[c] - start[c]
        along -= start[c] * d
        square += d * d
        from_start += start[c] * start[c]
    if square == 0.0:
        return False
    s = along / square
    s = 0.0 if s < 0.0 else (1.0 if s > 1.0 else s)
    return from_start - 2.0 * s * along + s * s * square <= reach * reach


@native
def depth_at(m: ModelMemory, k: int, p: Array) -> float:
    """The signed distance of a point from the shape as it is grown, with its normal in `gap`."""
    shape_distance(m, k, p, m.gap)
    return m.gap[0] - m.piece_law[LAW * k + 5]


@native
def skips_way(m: ModelMemory, k: int) -> bool:
    """Whether the way from `way_start` to `way_end` goes deeper than its ends, or ends on the other side."""
    p, q, point, half = m.way_start, m.way_end, m.point, m.piece_half[k]
    length = 0.0
    for c in range(3):
        length += (q[c] - p[c]) * (q[c] - p[c])
    length = sqrt(length)
    if length <= PART * half:
        return False
    first = depth_at(m, k, p)
    nx, ny, nz = m.gap[1], m.gap[2], m.gap[3]
    last = depth_at(m, k, q)
    if first >= 0.0 and last < 0.0 and nx * m.gap[1] + ny * m.gap[2] + nz * m.gap[3] < 0.0:
        return True
    deepest = first if first < last else last
    deepest = (deepest if deepest < 0.0 else 0.0) - PART * half
    # distances grow no faster than the way: a stride of what is left cannot pass it
    s = 0.0
    for _ in range(STRIDES):
        stride = first - deepest
        s += stride if stride > STRIDE * half else STRIDE * half
        if s >= length:
            return False
        for c in range(3):
            point[c] = p[c] + s / length * (q[c] - p[c])
        first = depth_at(m, k, point)
        if first < deepest:
            return True
    return True


@native
def find_passage(scene: ParticleMemory) -> None:
    """Keeps the first particle that went through a shape in the accepted step; before it is taken over."""
    m = scene.model
    for k in range(m.piece_count):
        if m.piece_half[k] == 0.0:
            continue
        for pair in range(k * scene.count, (k + 1) * scene.count):
            if m.within[pair] == 0 or m.next_within[pair] == 0 or m.passed_piece >= 0:
                continue
            a, b = at(m.normals, 3 * pair), at(m.next_normals, 3 * pair)
            # what lay in the shape at the start of the run is let out on any side
            if m.within[pair] == 1 and a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < 0.0:
                m.passed_piece, m.passed_particle = k, pair - k * scene.count
