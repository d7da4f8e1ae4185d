"""A direction in which the energy of a scene falls from an equilibrium that is not stable."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
NEUTRAL = 1e-12  # of the stiffest particle: curvatures that are rounding


def falling_direction(K: Any) -> Array | None:
    """d with dᵀ K d < 0 of a symmetric sparse matrix; None where there is none.

    Of K = L D Lᵀ without pivoting, by Sylvester's law as many numbers of D are negative as eigenvalues of K;
    for a negative one, D_j, the solution of Lᵀ d = e_j has dᵀ K d = D_j.
    """
    from scipy.sparse import identity
    from scipy.sparse.linalg import splu, spsolve_triangular

    n = K.shape[0]
    neutral = NEUTRAL * (float(np.abs(K.diagonal()).max()) or 1.0)
    options = {"SymmetricMode": True, "Equil": False}
    try:
        factors = splu(
            (K + neutral * identity(n)).tocsc(),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options=options,
        )
    except RuntimeError:  # a pivot is zero
        return None
    pivots = factors.U.diagonal()
    if not (factors.perm_r == factors.perm_c).all() or pivots.min() >= 0.0:
        return None
    unit = np.zeros(n)
    worst = int(pivots.argmin())
    unit[worst] = pivots[worst]  # U = D Lᵀ
    d = spsolve_triangular(factors.U.tocsr(), unit, lower=False)[factors.perm_c]
    return d / np.abs(d).max() if float(d @ (K @ d)) < 0.0 else None
