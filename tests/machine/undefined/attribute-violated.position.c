static int get(int *p, int *q) __attribute__((nonnull(2)));
static int get(int *p, int *q) { return !p && q; }
int main(void) {
    int x = 0;
    if (!get(0, &x)) return 1;
    return get(&x, (int *)0); // UB: attribute-violated
}
