/* For machines without a compiler. */
#ifndef __PLUMB_ISO646
#define __PLUMB_ISO646
#define and &&
#define and_eq &=
#define bitand &
#define bitor |
#define compl ~
#define not !
#define not_eq !=
#define or ||
#define or_eq |=
#define xor ^
#define xor_eq ^=
#endif
