static int x;
static int f(int *restrict p) {
    x = 1;
    return *p; // UB: restrict-violation
}
int main(void) { return f(&x); }
