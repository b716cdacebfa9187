/* For machines without a compiler. */
#ifndef __PLUMB_STDNORETURN
#define __PLUMB_STDNORETURN
#define noreturn _Noreturn
#endif
