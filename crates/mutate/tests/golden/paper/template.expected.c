long kept = 40;

int main(void)
{
    int step = 2;
    kept += step;
    {
        int backup_2_0 = !kept;
        long backup_2_1 = -kept >> step;
        if (backup_2_1 <= kept) {
            backup_2_0 = step;
            step = -(~!(~kept < -2147483647 - 1) + (backup_2_1 & step % backup_2_0));
            backup_2_1 = kept;
            kept = ~((!18446744073709551608UL | ~kept ^ backup_2_1) <= step ^ backup_2_0);
            if (backup_2_0 != step) {
                __builtin_printf("%lld", (long long)step);
            }
        }
        step = backup_2_0;
        kept = backup_2_1;
    }
    return kept == 42 ? 0 : 1;
}
