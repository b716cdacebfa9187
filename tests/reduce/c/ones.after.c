int g(int, char *);
int f(int a, int *p) {
    a = 1;
    *1 = 1;
    return 1;
}
