int a;

int main(void)
{
    int b = -1, d, e = 0, f[2] = {0};
    if (b > f[1] || b > f[0] || f[0] != 0 && e < 0) {
        a = b;
    }
    unsigned short c = b;
    for (; e < 3; e++) {
        {
            int backup_3_0 = -(~(~(-a <= !(~(f[1] / c) <= !4294967288U)) == f[0]) >= !-e);
            int backup_3_1 = -a;
            if (backup_3_1 >= a && c >= backup_3_1) {
                backup_3_0 = b;
                b = !(f[1] * (e != backup_3_0 - f[0]));
                backup_3_1 = f[1];
                f[1] = -f[0] >= (19102713735973L != !(-a * e));
                if (f[0] > e) {
                    __builtin_printf("%lld", (long long)f[1]);
                }
            }
            b = backup_3_0;
            f[1] = backup_3_1;
        }
        for (d = 0; d < 2; d++) {
            if (a < 0) {
                c--;
            }
            a = f[d] + c * 0;
        }
    }
    return a;
}
