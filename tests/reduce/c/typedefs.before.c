typedef struct S { int a; } S_t;
typedef unsigned int u32;
typedef u32 *pu32;
S_t s;
const u32 x = 1;
int f(pu32 p) { return (u32)*p + sizeof(S_t); }
