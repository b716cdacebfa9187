/* For machines without a compiler. */
#ifndef __PLUMB_STDALIGN
#define __PLUMB_STDALIGN
#define alignas _Alignas
#define alignof _Alignof
#define __alignas_is_defined 1
#define __alignof_is_defined 1
#endif
