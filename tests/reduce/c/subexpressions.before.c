int g(int, int *);
int f(int a, int *p) {
    a = a * (a + 1) - 2;
    *p = g(a, p);
    p[a] = a ? a + 1 : 2;
    return -(a, 1);
}
