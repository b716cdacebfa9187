int g(int);
int f(int a) {
    g(a), a++;
    g(1);
    0;
    g(2);
    return a;
}
