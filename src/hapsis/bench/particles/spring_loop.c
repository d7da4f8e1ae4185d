#include <math.h>
#include <stdint.h>

/* Forces of linear spring/dampers, as `spring_forces` computes them; energy and power of dampers in `out`. */
void spring_loop(int64_t count, const int64_t *ends, const double *rest, const double *stiffness,
                 const double *damping, const double *x, const double *v, double *force, double *out) {
    double energy = 0.0, power = 0.0;
    for (int64_t c = 0; c < count; c++) {
        int64_t i = 3 * ends[2 * c], j = 3 * ends[2 * c + 1];
        double dx = x[i] - x[j], dy = x[i + 1] - x[j + 1], dz = x[i + 2] - x[j + 2];
        double r = sqrt(dx * dx + dy * dy + dz * dz), over = r > 0.0 ? 1.0 / r : 0.0;
        double stretch = r - rest[c];
        double rate = (dx * (v[i] - v[j]) + dy * (v[i + 1] - v[j + 1]) + dz * (v[i + 2] - v[j + 2])) * over;
        double f = -(stiffness[c] * stretch + damping[c] * rate) * over;
        energy += 0.5 * stiffness[c] * stretch * stretch;
        power += damping[c] * rate * rate;
        force[i] += f * dx, force[i + 1] += f * dy, force[i + 2] += f * dz;
        force[j] -= f * dx, force[j + 1] -= f * dy, force[j + 2] -= f * dz;
    }
    out[0] = energy, out[1] = power;
}
