/* A stand-in for SDL 2. */
#include <stdint.h>
#include <stddef.h>
#include <string.h>
typedef struct { uint8_t type; int32_t dir[3]; } Direction;
typedef struct { uint16_t type; Direction direction; uint32_t length; uint16_t delay, button, interval;
                 int16_t level; uint16_t a, b, c, d; } Constant;
int sticks = 1, attached = 1, haptic = 1, effects = 1, level, length, runs, angle, updates, offset;
static int one, two;
int SDL_Init(uint32_t f) { offset = offsetof(Constant, level); return f == 0x1200 ? 0 : -1; }
void SDL_QuitSubSystem(uint32_t f) { (void)f; }
int SDL_NumJoysticks(void) { return sticks; }
void *SDL_JoystickOpen(int k) { (void)k; return &one; }
void *SDL_HapticOpenFromJoystick(void *s) { return s == &one && haptic ? &two : NULL; }
static int take(Constant *e) { level = e->level; length = e->length;
                               return e->type == 1 && e->direction.type == 1 && e->direction.dir[0] == 1; }
int SDL_HapticNewEffect(void *h, Constant *e) { return h == &two && take(e) && effects ? 5 : -1; }
int SDL_HapticUpdateEffect(void *h, int k, Constant *e) { take(e); return h == &two && k == 5 ? 0 : -1; }
int SDL_HapticRunEffect(void *h, int k, uint32_t n) { runs++; return h == &two && k == 5 && n == 1 ? 0 : -1; }
void SDL_JoystickUpdate(void) { updates++; }
int16_t SDL_JoystickGetAxis(void *s, int k) { return s == &one && k == 0 ? (int16_t)angle : 0; }
int SDL_JoystickGetAttached(void *s) { (void)s; return attached; }
void SDL_HapticClose(void *h) { (void)h; }
void SDL_JoystickClose(void *s) { (void)s; }
const char *SDL_GetError(void) { return "the stand-in says no"; }
