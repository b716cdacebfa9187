int a;

int main(void)
{
    int b = -1, d, e = 0, f[2] = {0};
    if (b > f[1] || b > f[0] || f[0] != 0 && e < 0) {
        a = b;
    }
    unsigned short c = b;
    {
        int backup_4_0 = !(~e == f[1] < b) < (a | f[0]);
        int backup_4_1 = e + 6509 == backup_4_0;
        if (f[1] < 6) {
            backup_4_0 = a;
            a = !b;
            backup_4_1 = b;
            b = !f[1] - ~((!backup_4_1 <= -f[0]) << e);
            if (backup_4_0 > 4 || backup_4_1 < -1179807931) {
                __builtin_printf("%lld", (long long)b);
            }
        }
        a = backup_4_0;
        b = backup_4_1;
    }
    for (; e < 3; e++)
        for (d = 0; d < 2; d++) {
            {
                int backup_2_0 = ~(155495351ULL | b) + c;
                int backup_2_1 = ~(~!(d <= ~b) <= c >> - -8);
                if (backup_2_0 != b) {
                    backup_2_0 = d;
                    d = d;
                    backup_2_1 = e;
                    e = !(-2 * -a);
                    if (backup_2_1 > 7 || c == 1642587181) {
                        __builtin_printf("%lld", (long long)e);
                    }
                }
                d = backup_2_0;
                e = backup_2_1;
            }
            a = f[d] + c * 0;
        }
    if (b < c) {
        return a;
    }
}
