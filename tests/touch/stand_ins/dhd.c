/* A stand-in for the library of Force Dimension. */
#include <stdint.h>
double force[3], place[3] = {0.01, -0.02, 0.03};
int enabled, watchdog, opened, fail, no_device, no_watchdog;
int dhdOpen(void) { opened = 1; return no_device ? -1 : 2; }
int dhdOpenID(char id) { opened = 1; return id; }
int dhdClose(char id) { opened = 0; return id == 2 ? 0 : -1; }
int dhdEnableForce(unsigned char on, char id) { enabled = on; return id == 2 ? 0 : -1; }
int dhdSetWatchdog(unsigned char v, char id) { watchdog = v; return id == 2 && !no_watchdog ? 0 : -1; }
int dhdGetPosition(double *x, double *y, double *z, char id) {
    *x = place[0]; *y = place[1]; *z = place[2];
    return fail || id != 2 ? -1 : 1;           /* 1: the time guard answered */
}
int dhdGetLinearVelocity(double *x, double *y, double *z, char id) {
    *x = 1; *y = 2; *z = 3;
    return fail || id != 2 ? -1 : 0;
}
int dhdSetForce(double x, double y, double z, char id) {
    force[0] = x; force[1] = y; force[2] = z;
    return fail || id != 2 ? -1 : 0;
}
const char *dhdErrorGetLastStr(void) { return "no device found"; }
