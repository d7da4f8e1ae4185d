"""Error bounds of the elementary functions, for code that adds up errors; no interval functions.

In units in the last place of the exact result, over the whole domain and with or without fma.
They are argued by hand as follows and rounded up; millions of samples, the hardest arguments of
sin and cos among them, stay 0.1 ulp or more below in f64.  No machine-checked proof backs them.
For f64 (the final rounding alone is half an ulp):
  sincos  the last sum 0.5, the smaller summand (below 0.2 of the result in sin, 0.31 in cos with
          its leading part exact) rounded a few times: together below 1 (as fdlibm's kernels)
  tan     the same summands relative to a pair quotient, then one rounding
  exp     1 + (r + ...): the inner sum, below 0.42, rounds at 0.25 of the outer one
  log     fdlibm's sum around an exact f: below 1
  pow     exp, and 2**-66 * 745 relative error of the exponent: 0.1 ulp more; x**2.5 is a square, a root
          and their product, each of which rounds: the first two up to 1 ulp of the result, the last 0.5
  atan2   the quotient t rounds (up to 1 ulp of a result in the binade below t), then the sum
  asin    as atan2, and the second-order error of the corrected root
The f32 functions that compute in f64 round once; f32 sincos rounds the reduced argument (up to
0.9 ulp where sin r falls into the binade below r) and the last sum.
"""

from __future__ import annotations

ULP: dict[str, float] = {
    "sincos_f64": 1.0,
    "tan_f64": 1.25,
    "exp_f64": 1.0,
    "log_f64": 1.0,
    "pow_f64": 2.5,
    "atan2_f64": 1.625,
    "asin_f64": 1.75,
    "acos_f64": 1.75,
    "sincos_f32": 1.75,
    "tan_f32": 0.5001,
    "exp_f32": 0.5001,
    "log_f32": 0.5001,
    "pow_f32": 0.5001,
    "atan2_f32": 0.5001,
    "asin_f32": 0.5001,
    "acos_f32": 0.5001,
}
