"""Equations of a cart with a pendulum in SymPy."""

import sympy as sp
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

M, m, l, g = sp.symbols("M m l g", positive=True)
x, angle = dynamicsymbols("x angle")
dx, da = dynamicsymbols("x angle", 1)
vx = dx - l * da * sp.cos(angle)
vz = l * da * sp.sin(angle)
kinetic = M * dx**2 / 2 + m * (vx**2 + vz**2) / 2
potential = -m * g * l * sp.cos(angle)
method = LagrangesMethod(kinetic - potential, [x, angle])
method.form_lagranges_equations()
rates = method.rhs()
state = [x, angle, dx, da]
f = sp.lambdify([state, [M, m, l, g]], rates[2:], cse=True)
accelerations = f([0.0, 0.5, 0.1, -0.3], [1.0, 0.2, 0.6, 9.81])
print(accelerations)
