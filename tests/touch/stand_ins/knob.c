/* A knob around the firmware of the documentation; the line is file 3. */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <fcntl.h>
#include <stdlib.h>
void knob_tick(void);
static double x, v, force;
static int32_t last;
int32_t knob_position(void) { return (int32_t)(x / 1e-6); }
void knob_force(int32_t steps) { force = steps * 1e-6; last = steps; }
uint32_t knob_micros(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint32_t)(t.tv_sec * 1000000ull + t.tv_nsec / 1000);
}
int knob_receive(void) {
    unsigned char b;
    return read(3, &b, 1) == 1 ? b : -1;
}
void knob_transmit(const uint8_t *bytes, int count) { (void)!write(3, bytes, count); }
int main(int argc, char **argv) {
    int seconds = argc > 1 ? atoi(argv[1]) : 1;
    fcntl(3, F_SETFL, O_NONBLOCK);
    for (int k = 0; k < seconds * 1000; k++) {
        v += 1e-3 * (force - 0.02 * v + 0.05) / 1e-3;  /* a hand turns it with 0.05 N m */
        x += 1e-3 * v;
        knob_tick();
        printf("%d %d\n", k, last);
        fflush(stdout);
        struct timespec t = {0, 1000000};
        nanosleep(&t, 0);
    }
    return 0;
}
