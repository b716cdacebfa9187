int a;

int main(void)
{
    int b = -1, d, e = 0, f[2] = {0};
    if (b > f[0] || b > f[1] || f[1] != 0 && e < 0) {
        a = b;
    }
    unsigned short c = b;
    for (; e < 3; e++) {
        {
            int backup_3_0 = -(~(e - (f[1] * c != a)) & !~b);
            int backup_3_1 = a + c;
            if (b >= f[1] || c != a) {
                backup_3_0 = f[1];
                f[1] = backup_3_1 >= backup_3_0 >> (f[1] << e);
                backup_3_1 = b;
                b = (~(b ^ e) + -(!(c * f[1]) == ~backup_3_0)) * ~4LL;
                while (c <= f[1]) {
                    __builtin_printf("%lld", (long long)f[1]);
                }
            }
            f[1] = backup_3_0;
            b = backup_3_1;
        }
        for (d = 0; d < 2; d++)
            a = f[d] + c * 0;
    }
    return a;
}
