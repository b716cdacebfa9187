struct S { int m; } s;
int g(int, char *);
int f(int a, int *p) {
    a = 0;
    *p = 0;
    s = s;
    return 0;
}
