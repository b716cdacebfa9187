int a, b, c;

void loops(void)
{
    for (; a > c;) {
        c--;
        a = 3;
    }
    short d = 0;
    for (; d > 715764939;) {
        __builtin_printf("%d", (int)b);
    }
    for (; d < 2; d++) {
        if (d >= c) {
            for (b = 0; b < 1; b++)
                for (; c; c++)
                    a = d;
        }
        {
            int backup_5_0 = c;
            if (backup_5_0 <= 0) {
                backup_5_0 = c;
                c = ~backup_5_0;
                while (b <= backup_5_0) {
                    __builtin_printf("%lld", (long long)c);
                }
            }
            c = backup_5_0;
        }
        for (; b < 1; b++)
            c = 0;
        {
            short backup_7_0 = ~(~-(- -c ^ -b == d) % (-3L - a));
            if (c < 366590933 && a != 3 || (a < -2 || c < -4)) {
                backup_7_0 = d;
                d = b * (c - d) <= !backup_7_0;
                if (b > 1 || d < 1) {
                    __builtin_printf("%lld", (long long)d);
                }
            }
            d = backup_7_0;
        }
        if (c)
            break;
    }
}

int main(void)
{
    if (a == c) {
        loops();
    }
    return a + b - 1;
}
