int g(int, char *);
int f(int a, int *p) {
    a = a + 2;
    *p = g(a, "x");
    return a ? a : 0;
}
