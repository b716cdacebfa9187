int g(int, int *);
int f(int a, int *p) {
    a * (a + 1) - 2;
    g(a, p);
    a ? a + 1 : 2;
    return (a, 1);
}
