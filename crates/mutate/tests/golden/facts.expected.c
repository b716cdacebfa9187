int table[8];

int square(int x)
{
    return x * x;
}

void fill(int *row, int n)
{
    extern int square(int) __attribute__((const));
    int i;
    for (i = 0; i < n; i++) {
        row = __builtin_assume_aligned(row, 4);
        row[i] = square(i);
    }
}

int main(void)
{
    int *p = table, s = 0, k;
    extern void fill(int *, int) __attribute__((nonnull(1)));
    fill(p, 8);
    if (!(*p >= 0 && *p <= 0))
        __builtin_unreachable();
    for (k = 0; k < 8; k++) {
        s += table[k] - square(k - 1);
    }
    return s;
}
