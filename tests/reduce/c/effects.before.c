int g(int);
int f(int a) {
    g(g(a) + a++);
    g(1) + a;
    a + 1;
    a = g(2);
    return a;
}
