static int f(int *restrict p, const int *q) {
    int old = *q;
    *p = 2; // UB: restrict-violation
    return old;
}
int main(void) {
    int x = 0;
    return f(&x, &x);
}
