/* A pointer that is never null, a function without effects, ranges of counters. */
int table[8];

int square(int x)
{
    return x * x;
}

void fill(int *row, int n)
{
    int i;
    for (i = 0; i < n; i++)
        row[i] = square(i);
}

int main(void)
{
    int *p = table, s = 0, k;
    fill(p, 8);
    for (k = 0; k < 8; k++) {
        s += table[k] - square(k - 1);
    }
    return s;
}
