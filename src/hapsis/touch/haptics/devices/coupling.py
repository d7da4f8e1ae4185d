"""A mass on a spring and a damper that follows a moving aim, integrated exactly.

    m x'' = k (a - x) + b (a' - x') + f

Between two ticks f is held and the aim moves evenly; then the solution is a matrix exponential, so
any stiffness and any step is stable if the continuous system is.
"""

from hapsis.compiler.native import Array, isfinite, native, record, sized

TERMS = 14  # of the series, for steps of length one half at most
SAME = 1e-9  # steps that differ by less have the same matrix
NEVER = -1.0  # a time before the first step


@record
class Coupling:
    """Equal masses, one for each axis, and their transition over one step."""

    axes: int
    mass: float
    damping: float
    stiffness: float
    last: float = NEVER  # time of the last step
    duration: float = NEVER  # of the step that the matrix is for
    matrix: Array = sized("9")  # exp(A dt), by rows
    term: Array = sized("9")
    product: Array = sized("9")
    position: Array = sized("axes")
    velocity: Array = sized("axes")
    last_aim: Array = sized("axes")
    force: Array = sized("axes")

    def restart(self) -> None:
        """Forgets the motion; the next step starts at the aim, at rest."""
        self.last = self.duration = NEVER
        for state in (self.position, self.velocity, self.last_aim, self.force):
            state[:] = 0.0


@native
def square(own: Coupling) -> None:
    """matrix = matrix matrix."""
    a = own.matrix
    for i in range(3):
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += a[3 * i + k] * a[3 * k + j]
            own.product[3 * i + j] = total
    for k in range(9):
        a[k] = own.product[k]


@native
def transition(own: Coupling, dt: float) -> None:
    """exp(A dt) of (error, its rate, f / m), by a series and by squaring."""
    if abs(dt - own.duration) <= SAME * dt:
        return
    own.duration = dt
    spring, loss = own.stiffness / own.mass, own.damping / own.mass
    size, h, halvings = dt * (1.0 + spring + loss), dt, 0
    while size > 0.5 and halvings < 60:
        size, h = 0.5 * size, 0.5 * h
        halvings += 1
    matrix, term = own.matrix, own.term
    for k in range(9):
        matrix[k] = 1.0 if k % 4 == 0 else 0.0
        term[k] = matrix[k]
    for j in range(1, TERMS + 1):
        # term A h / j, with A = ((0, 1, 0), (-spring, -loss, 1), (0, 0, 0))
        for i in range(3):
            x, y = term[3 * i], term[3 * i + 1]
            term[3 * i] = -spring * y * h / j
            term[3 * i + 1] = (x - loss * y) * h / j
            term[3 * i + 2] = y * h / j
        for k in range(9):
            matrix[k] += term[k]
    for _ in range(halvings):
        square(own)


@native
def follow(t: float, aim: Array, own: Coupling) -> None:
    """Moves the masses to time t; the first call starts them at the aim, at rest."""
    dt, x, v, last_aim = t - own.last, own.position, own.velocity, own.last_aim
    if own.last < 0.0:
        for k in range(own.axes):
            x[k], v[k], last_aim[k] = aim[k], 0.0, aim[k]
        own.last = t
    elif dt > 0.0:
        transition(own, dt)
        matrix = own.matrix
        for k in range(own.axes):
            rate = (aim[k] - last_aim[k]) / dt
            e, w, u = x[k] - last_aim[k], v[k] - rate, own.force[k] / own.mass
            x[k] = aim[k] + matrix[0] * e + matrix[1] * w + matrix[2] * u
            v[k] = rate + matrix[3] * e + matrix[4] * w + matrix[5] * u
            last_aim[k] = aim[k]
        own.last = t


@native
def apply_force(command: Array, own: Coupling) -> None:
    """Sets the force from now on; 0 where it is not a number."""
    for k in range(own.axes):
        own.force[k] = command[k] if isfinite(command[k]) else 0.0
