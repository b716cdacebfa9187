static const volatile int a = 1;
extern inline int f(register int b, int *restrict p) { static int c; return *p; }
