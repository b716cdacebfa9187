int a[4];

int main()
{
    int b, c, d = 0;
    for (b = 0; b < 4; b++) {
        c = 0;
        do
            d += 1 != a[c];
        while (++c < 4);
    }
    if (d != 16)
        __builtin_abort();
}
