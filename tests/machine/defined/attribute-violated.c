__attribute__((nonnull)) static int get(int *p) { return p ? *p : 0; }
__attribute__((returns_nonnull)) static int *give(int *p) { return p; }
__attribute__((const)) static int square(int x) { return x * x; }
int main(void) {
    _Alignas(16) int x[4] = {3};
    int *p = __builtin_assume_aligned(x, 16);
    return !(get(x) == 3 && give(x) == x && square(5) == 25 && *p == 3);
}
