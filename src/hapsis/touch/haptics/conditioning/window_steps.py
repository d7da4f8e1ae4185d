"""Steps over the last samples, kept in a ring: sums with weights, and adaptive windows.

Everything is computed from differences to the newest sample, so that a large constant costs no
digits.
"""

from hapsis.compiler.native import Array, at, native


@native
def window(x: Array, y: Array, m: Array, c: Array) -> None:
    """y = Σ w_k x[now - k]. c: how many, Σ w, w. m: started, place, ring; it starts full of x."""
    count = int(c[0])
    ring, weights = at(m, 2), at(c, 2)
    if m[0] == 0.0:
        for k in range(count):
            ring[k] = x[0]
    place = (int(m[1]) + 1) % count
    ring[place] = x[0]
    m[0], m[1] = 1.0, float(place)
    total = c[1] * x[0]
    for k in range(1, count):
        total += weights[k] * (ring[(place - k) % count] - x[0])
    y[0] = total


@native
def straight(n: int, place: int, size: int, slope: float, middle: float, band: float, ring: Array) -> bool:
    """Whether the last n + 1 samples lie within the band around a line.

    The line is middle + slope (n/2 - k) above the newest sample, k samples ago.
    """
    now = ring[place]
    for k in range(n + 1):
        line = middle + slope * (0.5 * n - k)
        if not abs(ring[(place - k) % size] - now - line) <= band:
            return False
    return True


@native
def adaptive(x: Array, y: Array, m: Array, c: Array) -> None:
    """The slope of the longest window that a straight line fits within the band.

    c: longest window, band, whether by least squares, period. m: samples seen, place, window
    used, ring. End fit: the line through the newest and the oldest sample.
    """
    longest, fit, size = int(c[0]), c[2] != 0.0, int(c[0]) + 1
    ring, place = at(m, 3), (int(m[1]) + 1) % size
    ring[place] = x[0]
    seen = min(int(m[0]) + 1, size)
    m[0], m[1], m[2] = float(seen), float(place), 0.0
    found, total, moment = 0.0, 0.0, 0.0
    for n in range(1, min(longest, seen - 1) + 1):
        rise = ring[(place - n) % size] - x[0]
        total += rise
        moment += n * rise
        slope, middle = -rise / n, 0.5 * rise
        if fit:
            slope = (n * total - 2.0 * moment) / (n * (n + 1.0) * (n + 2.0) / 6.0)
            middle = total / (n + 1.0)
        if n > 1 and not straight(n, place, size, slope, middle, c[1], ring):
            break
        found = slope
        m[2] = float(n)
    y[0] = found / c[3]
