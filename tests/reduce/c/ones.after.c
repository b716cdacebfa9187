int g(int, char *);
int f(int a, int *p) {
    a = 1;
    *p = 1;
    return 1;
}
