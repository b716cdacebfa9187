typedef struct S { int a; } S_t;


struct S s;
const unsigned int x = 1;
int f(u32 * p) { return (unsigned int)*p + sizeof(struct S); }
