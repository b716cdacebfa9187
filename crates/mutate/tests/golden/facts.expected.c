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
        if (!(i != 8))
            __builtin_unreachable();
        row[i] = square(i);
    }
}

int main(void)
{
    int *p = table, s = 0, k;
    if (!(table[3] >= 0 && table[3] <= 0))
        __builtin_unreachable();
    fill(p, 8);
    if (!(s >= 0 && s <= 0))
        __builtin_unreachable();
    for (k = 0; k < 8; k++) {
        s += table[k] - square(k - 1);
    }
    return s;
}
