typedef double Grid[4][4] __attribute__((aligned(2 * __alignof__(double))));
typedef short Row[3] __attribute__((aligned(16)));
struct holder { char c; const Grid grid; };
int main(void) {
    const Grid zero = {{0}};
    volatile Row row = {1, 2, 3};
    if (__alignof__(Grid) != 2 * __alignof__(double) || __alignof__(const Grid) != __alignof__(Grid)) return 1;
    if (__alignof__(struct holder) != __alignof__(Grid)) return 2;
    if (sizeof(struct holder) != sizeof(Grid) + __alignof__(Grid)) return 3;
    if (__alignof__(volatile Row) != 16 || (unsigned long)&row % 16 != 0) return 4;
    if ((unsigned long)&zero % __alignof__(Grid) != 0 || zero[3][3] != 0) return 5;
    return row[2] - 3;
}
