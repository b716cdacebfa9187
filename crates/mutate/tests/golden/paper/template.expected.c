long kept = 40;

int main(void)
{
    if (kept == 3732471482187418L) {
        __builtin_printf("%d", (int)kept);
    }
    int step = 2;
    kept += step;
    {
        long backup_2_0 = kept;
        if (backup_2_0 != step) {
            backup_2_0 = kept;
            kept = ~((~step == backup_2_0) / -2147483647 == ~~~kept);
            if (backup_2_0 > 45L && kept != 0L) {
                __builtin_printf("%lld", (long long)kept);
            }
        }
        kept = backup_2_0;
    }
    return kept == 42 ? 0 : 1;
}
