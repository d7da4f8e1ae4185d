/* A stand-in for the HD library of OpenHaptics. */
#include <pthread.h>
#include <string.h>
#include <unistd.h>
double force[3], place[3] = {10, -20, 30}, speed[3] = {100, 0, -100};
int frames, nested, wrong, enabled, no_device, closed;
static unsigned (*callback)(void *);
static void *data;
static volatile int runs;
static pthread_t thread;
unsigned hdInitDevice(const char *name) { return no_device || (name && strcmp(name, "left")) ? 0xFFFFFFFF : 7; }
void hdDisableDevice(unsigned d) { closed = d; }
void hdEnable(unsigned what) { enabled = what; }
void hdBeginFrame(unsigned d) { nested++; if (d != 7 || nested != 1) wrong++; }
void hdEndFrame(unsigned d) { nested--; frames++; if (d != 7) wrong++; }
void hdGetDoublev(unsigned what, double *x) {
    if (nested != 1) wrong++;
    memcpy(x, what == 0x2050 ? place : what == 0x2051 ? speed : (wrong++, place), sizeof place);
}
void hdSetDoublev(unsigned what, const double *x) {
    if (nested != 1 || what != 0x2700) wrong++;
    memcpy(force, x, sizeof force);
}
unsigned long hdScheduleAsynchronous(unsigned (*f)(void *), void *p, unsigned short priority) {
    callback = f; data = p;
    if (priority != 0xFFFF) wrong++;
    return 0x123456789;
}
static void *work(void *_) {
    while (runs) { if (callback && callback(data) == 0) callback = 0; usleep(1000); }
    return _;
}
void hdStartScheduler(void) { runs = 1; pthread_create(&thread, 0, work, 0); }
void hdStopScheduler(void) { runs = 0; pthread_join(thread, 0); }
void hdUnschedule(unsigned long h) { if (h != 0x123456789) wrong++; }
