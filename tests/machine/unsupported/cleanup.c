// The cleanup attribute among the declaration specifiers; the last variable is cleaned up first.
static int n;
static void clean(int *p) { n = 10 * n + *p; }
static int scoped(int k) {
    __attribute__((cleanup(clean))) int outer = k; // UNSUPPORTED: the attribute cleanup
    if (k > 2) return n;
    {
        int inner __attribute__((cleanup(clean))) = 5;
        (void)inner;
    }
    return n;
}
int main(void) {
    if (scoped(3) != 0 || n != 3) return 1;
    return !(scoped(1) == 35 && n == 351);
}
