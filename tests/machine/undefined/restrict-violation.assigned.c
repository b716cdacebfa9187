// Example 4 of the standard: between restrict pointers of one block.
static int f(int *restrict p, int *restrict q) {
    p = q; // UB: restrict-violation
    return *p;
}
int main(void) {
    int x = 0, y = 0;
    return f(&x, &y);
}
