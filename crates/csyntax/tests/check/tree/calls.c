struct s { int a; } g(void);
typedef union { int *i; float *f; } tu __attribute__((transparent_union));
void h(tu, ...);
int old();
int f(char c, float x, int (*fp)(long), int *p) {
  abort();
  old(c, x);
  fp(c);
  (*fp)(2);
  h(p, c, x);
  undeclared(c);
  return g().a + __builtin_abs(c);
}
