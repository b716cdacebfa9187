int a;

int main(void)
{
    int b = -1, d, e = 0, f[2] = {0};
    if (b > a || b > e || e != 0 && e < 0) {
        a = b;
    }
    unsigned short c = b;
    for (; e < 3; e++) {
        {
            int backup_3_0 = !((e | 2147483647) < c == ~b);
            int backup_3_1 = e % b;
            if (!(a >= c)) {
                backup_3_0 = e;
                e = c == b;
                backup_3_1 = b;
                b = b;
                if (!(b == backup_3_1)) {
                    __builtin_printf("%lld", (long long)b);
                }
            }
            e = backup_3_0;
            b = backup_3_1;
        }
        for (d = 0; d < 2; d++)
            a = f[d] + c * 0;
    }
    return a;
}
