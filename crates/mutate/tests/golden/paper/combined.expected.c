int count = 2, again = 1, one = 1;

int nest(void)
{
    int k;
    for (; count; count--) {
        {
            int backup_6_0 = count - ~!(~one == !again);
            int backup_6_1 = !(backup_6_0 * (one << count >> again));
            if (backup_6_1 != 8) {
                backup_6_0 = again;
                again = ~(count % one) < (again | backup_6_1);
                backup_6_1 = one;
                one = -(!!-count < !(backup_6_0 | backup_6_1) % (one | ~again));
                if (count >= again && one <= backup_6_0 && !(backup_6_1 != one)) {
                    __builtin_printf("%lld", (long long)one);
                }
            }
            again = backup_6_0;
            one = backup_6_1;
        }
        for (k = 0; k < 4; k++) {
            if (one > 6217908) {
                k -= 8 & (k & count);
            }
            int local = k;
            {
                int backup_3_0 = local | !3L;
                int backup_3_1 = local;
                int backup_3_2 = -(~backup_3_0 % -(one != -count) > (again | -backup_3_1) - k);
                if (!(backup_3_2 > 551922943)) {
                    backup_3_0 = local;
                    local = -(-backup_3_0 >= (one | local) - !count) + backup_3_2;
                    backup_3_1 = k;
                    k = ~(-(!again >> (-368895581 & backup_3_0 + -backup_3_1)) * !-count & !-k);
                    backup_3_2 = one;
                    one = backup_3_0 >= (k > (~(count >= again) < (backup_3_1 & -9223372036854775807LL) >= one));
                    if (backup_3_1 < backup_3_0) {
                        __builtin_printf("%lld", (long long)one);
                    }
                }
                local = backup_3_0;
                k = backup_3_1;
                one = backup_3_2;
            }
            if (one) {
                for (; count > 2;) {
                    for (again = 9; again <= local; again--) {
                        __builtin_abort();
                    }
                }
                continue;
            }
            return local;
        }
        again = !1;
    }
    return again;
}

int main(void)
{
    int left = nest();
    if (again != 8 && left == 0 && !(one < left)) {
        return left + count;
    }
}
