struct S { int f; } s;
int f(int a, int *p) {
    a = 1;
    s.f = 2;
    return p[a] + *p;
}
