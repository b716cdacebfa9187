/* K&R definitions, implicit int, old-style declarators. */
main(argc, argv) char **argv; { return argc; }
f() { return g(1); }
static h(a, b, c) register a; int b, c[]; struct s { int x; } *d; { return a + b; }
static i; extern j(), k(); register_me(const a, volatile *b);
int (l)(a) int a; { return a; }
double m(x, f) double x, (*f)(); { return f(x); }
*n() { return 0; }
