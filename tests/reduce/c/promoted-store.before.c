int g(int);
int *h(int *);
int main(void) {
    char c = 1;
    int a, b = 1, *p;
    a = b + 1;
    g(a);
    a = (unsigned short)c;
    g(2 * a);
    p = &b;
    h(p);
    return 0;
}
