// The other access is in a function called from the block.
static int *other;
static void set(void) {
    *other = 1; // UB: restrict-violation
}
static int f(int *restrict p) {
    *p = 0;
    set();
    return *p;
}
int main(void) {
    int x;
    other = &x;
    return f(&x);
}
