/* A stand-in for the ioctl of a wheel. */
#include <string.h>
#include <stdint.h>
int gone, refuse, calls, level, length, plays, value = 32768;
int ioctl_(int file, unsigned long request, void *memory) {
    (void)file;
    if (gone) return -1;
    if (request == 0x80184540) {                /* EVIOCGABS(ABS_X) */
        int32_t info[6] = {value, 0, 65535, 0, 0, 0};
        memcpy(memory, info, sizeof info);
        return 0;
    }
    if (request == 0x40304580) {                /* EVIOCSFF */
        struct { uint16_t type; int16_t id; uint16_t direction, button, interval, length, delay, pad;
                 int16_t level; } *effect = memory;
        if (refuse || effect->type != 0x52) return -1;
        calls++;
        effect->id = 3;
        level = effect->level;
        length = effect->length;
        return 0;
    }
    return -1;
}
