#include <malloc.h>

/* Asks for the memory at a place, which will be read soon, without waiting for it. */
__attribute__((always_inline)) static inline void prefetch(const void *place) {
  __builtin_prefetch(place);
}
