"""What an accepted step does to facets that touch, and how long the next one may be."""

from hapsis.compiler.native import at, native, sqrt
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory
from hapsis.motion.solvers.particles.touch.touch_memory import NUMBERS

STEPS = 16.0  # for which a list should do
PART = 0.25  # of the smallest limit, or half of the margin: the way that a step is planned to go


@native
def accept_touch(scene: ParticleMemory, h: float) -> None:
    """Takes over what was evaluated last; before that, the samples of this step."""
    touch = scene.touch
    if touch.facet_count == 0 or touch.lack > 0:
        return
    touch.now = 1 - touch.now
    for i in range(touch.count):
        touch.deep[i] = touch.next_deep[i]
        touch.stiff[i], touch.damp[i] = touch.next_stiff[i], touch.next_damp[i]
    for k in range(touch.pairs):
        touch.state[k] = touch.next_state[k]
    for k in range(NUMBERS * (touch.law_count + touch.floor_count)):
        touch.numbers[k] = touch.next_numbers[k]
    touch.ratio, touch.deepest = touch.next_ratio, touch.next_deepest
    if touch.ratio > touch.most:
        touch.most, touch.most_a, touch.most_b = touch.ratio, touch.next_a, touch.next_b
    if touch.far:
        touch.far_steps += 1
    touch.fresh = False
    if touch.pairs > 0:
        touch.wish = STEPS * touch.travel


@native
def let_go(scene: ParticleMemory) -> bool:
    """Whether contacts became too deep in an accepted step; their energy counts as dissipated."""
    touch = scene.touch
    if touch.facet_count == 0 or touch.next_dropped == 0.0:
        return False
    touch.dropped += touch.next_dropped
    scene.dissipated += touch.next_dropped
    return True


@native
def sample_touch(scene: ParticleMemory, row: int, s: float) -> None:
    """The numbers of laws and floors at the part s of a step."""
    touch = scene.touch
    count = NUMBERS * (touch.law_count + touch.floor_count)
    out = at(touch.samples, count * row)
    for k in range(count):
        out[k] = touch.numbers[k] + s * (touch.next_numbers[k] - touch.numbers[k])


@native
def seen_step(scene: ParticleMemory) -> float:
    """The longest step in which nothing passes through another thing unseen, s."""
    touch, n = scene.touch, scene.count
    if touch.law_count == 0:
        return 1e300
    mx, my, mz = 0.0, 0.0, 0.0
    for i in range(n):
        mx += scene.v[3 * i] / n
        my += scene.v[3 * i + 1] / n
        mz += scene.v[3 * i + 2] / n
    most = 0.0
    for i in range(n):
        x, y, z = scene.v[3 * i] - mx, scene.v[3 * i + 1] - my, scene.v[3 * i + 2] - mz
        square = x * x + y * y + z * z
        most = square if square > most else most
    way = PART * touch.least if touch.pairs > 0 else 0.5 * touch.margin
    if way < PART * touch.least:
        way = PART * touch.least
    return way / (2.0 * sqrt(most) + 1e-300)
