struct S { int m; } s;
int g(int, char *);
int f(int a, int *p) {
    a = a + 1;
    *p = g(a, "x");
    s = s;
    return s.m;
}
