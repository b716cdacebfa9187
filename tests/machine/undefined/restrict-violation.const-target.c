// T shall not be const-qualified if the object is modified by any means.
static int f(const int *restrict p) {
    int old = *p;
    *(int *)p = 5; // UB: restrict-violation
    return old;
}
int main(void) {
    int x = 0;
    return f(&x);
}
