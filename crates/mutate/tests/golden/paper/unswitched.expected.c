int seen;
short walk = 32760;

int main(void)
{
    for (; seen > walk;) {
        walk--;
        seen = 3;
    }
    int unset;
    for (; seen > 715764939;) {
        __builtin_printf("%d", (int)seen);
    }
    int next = 1;
    for (; walk > 0 && walk < 32767; walk++) {
        {
            short backup_2_0 = ~(walk >> seen & next);
            int backup_2_1 = ~~-next < -(~backup_2_0 != (walk != seen));
            int backup_2_2 = seen;
            if (next < 7) {
                backup_2_0 = walk;
                walk = ~(~-5 >> backup_2_1);
                backup_2_1 = seen;
                seen = -(((!backup_2_2 < (!backup_2_0 != seen)) << -(next | walk)) / ~!-backup_2_1);
                backup_2_2 = next;
                next = -~-backup_2_2 << ((walk <= backup_2_0) << (seen < next)) == backup_2_1;
                while (backup_2_0 <= backup_2_2) {
                    __builtin_printf("%lld", (long long)seen);
                }
            }
            walk = backup_2_0;
            seen = backup_2_1;
            next = backup_2_2;
        }
        seen = next;
        if (seen >= next || next < 105) {
            next = 0;
        }
    }
    if (walk != 32768) {
        if (seen > 1)
            unset = seen;
    }
    return next;
}
