"""Steps of conversions, linear systems and actuators: y of the sample x, with memory m.

Each is given the constants of its own, c, and its own memory.
"""

from hapsis.compiler.native import Array, at, floor, isfinite, native, sqrt

HALF_PI = 1.5707963267948966
PI = 3.141592653589793


@native
def affine(inputs: int, outputs: int, x: Array, y: Array, c: Array) -> None:
    """y = M x + b; c holds b, then M by rows."""
    for i in range(outputs):
        total = c[i]
        row = at(c, outputs + i * inputs)
        for j in range(inputs):
            if row[j] != 0.0:  # so that a missing channel is missing only where it counts
                total += row[j] * x[j]
        y[i] = total


@native
def hall(x: Array, y: Array, c: Array) -> None:
    """000-(17): k (U_front² - U_rear²) + O."""
    y[0] = c[0] * (x[0] * x[0] - x[1] * x[1]) + c[1]


@native
def hall_volts(x: Array, y: Array, c: Array) -> None:
    """The two voltages at a position, both equal to the level in the middle. c: k, O, level."""
    half = 0.5 * (x[0] - c[1]) / c[0]
    y[0], y[1] = sqrt(c[2] * c[2] + half), sqrt(c[2] * c[2] - half)


@native
def quantised(count: int, x: Array, y: Array, c: Array) -> None:
    """The nearest whole number of steps; c: the step."""
    for k in range(count):
        y[k] = c[0] * floor(x[k] / c[0] + 0.5)


@native
def disturbed(count: int, x: Array, y: Array, m: Array, c: Array) -> None:
    """The sample and the next row of a table, again from its start at its end. c: rows, table."""
    row = at(c, 1 + int(m[0]) * count)
    for k in range(count):
        y[k] = x[k] + row[k]
    m[0] = (m[0] + 1.0) % c[0]


@native
def arctangent(y: float, x: float) -> float:
    """The angle of (x, y), -π to π, within some units of the last place; 0 at the origin.

    Three halvings by tan(a/2) = t / (1 + √(1 + t²)), then the series.
    """
    top, bottom = abs(y), abs(x)
    if top == 0.0 and bottom == 0.0:
        return 0.0
    steep = top > bottom
    t = bottom / top if steep else top / bottom
    for _halving in range(3):
        t = t / (1.0 + sqrt(1.0 + t * t))
    square, total = t * t, 0.0
    for k in range(9, -1, -1):
        total = (1.0 if k % 2 == 0 else -1.0) / (2.0 * k + 1.0) + square * total
    angle = 8.0 * t * total
    if steep:
        angle = HALF_PI - angle
    if x < 0.0:
        angle = PI - angle
    return angle if y >= 0.0 else -angle


@native
def inclination(extra: int, x: Array, y: Array, c: Array) -> None:
    """The lean that two accelerations show, NaN where they are not gravity alone; then the rest.

    c: gravity, the part of it that the length may be off. x: across, up, others.
    """
    size = sqrt(x[0] * x[0] + x[1] * x[1])
    trusted = abs(size - c[0]) <= c[1] * c[0]
    y[0] = arctangent(x[0], x[1]) if trusted else c[2]
    for k in range(extra):
        y[1 + k] = x[2 + k]


@native
def linear(x: Array, y: Array, m: Array, c: Array) -> None:
    """s = Φ s + G₀ x_before + G₁ x, y = C s + D x: exact where x is straight between samples.

    c: n, D, Φ, G₀, G₁, C, and the s that rests at x = 1. m: started, x before, s, new s.
    """
    n = int(c[0])
    before, now, output, rest = (at(c, 2 + n * n), at(c, 2 + n * n + n), 0.0, at(c, 2 + n * n + 3 * n))
    C, s, new = at(c, 2 + n * n + 2 * n), at(m, 2), at(m, 2 + n)
    for i in range(n):
        if m[0] == 0.0:
            new[i] = rest[i] * x[0]
        else:
            total = before[i] * m[1] + now[i] * x[0]
            row = at(c, 2 + i * n)
            for j in range(n):
                total += row[j] * s[j]
            new[i] = total
    output = c[1] * x[0]
    for i in range(n):
        s[i] = new[i]
        output += C[i] * s[i]
    m[0], m[1] = 1.0, x[0]
    y[0] = output


@native
def actuator(x: Array, y: Array, m: Array, c: Array) -> None:
    """The force now, of the commands before: a lag behind a delay, commands held in between.

    c: whole periods of delay, decay of the lag, weights of the older and the newer command in
    force, gain, limit. m: started, force, place in the ring, ring of commands.
    A command that is not finite leaves the one before.
    """
    count = int(c[0]) + 2
    ring, place = at(m, 3), int(m[2])
    if m[0] != 0.0:
        # from the tick before to this one; the newest command is that of the tick before
        newer, older = (place - int(c[0])) % count, (place - int(c[0]) - 1) % count
        m[1] = c[1] * m[1] + c[2] * ring[older] + c[3] * ring[newer]
    m[0] = 1.0
    force = c[4] * x[0] if isfinite(x[0]) else ring[place]
    force = min(max(force, -c[5]), c[5])
    place = (place + 1) % count
    ring[place] = force
    m[2] = float(place)
    y[0] = m[1]
