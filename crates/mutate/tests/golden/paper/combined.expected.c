int count = 2, again = 1, one = 1;

int nest(void)
{
    if (again != one) {
        for (count = 1; count < ~1; count++) {
            __builtin_abort();
        }
    }
    int k;
    if (count >= one) {
        for (; count; count--) {
            for (; again >= 102 && count >= one;) {
                again += (one ^ k) >> !5;
            }
            for (k = 0; k < 4; k++) {
                if (one > 5) {
                    count--;
                }
                int local = k;
                if (one >= 2 || again < 3) {
                    if (one) {
                        {
                            int backup_2_0 = -((one <= 40028303100L) * (-(~k - count) | !~local - again));
                            int backup_2_1 = !(-(!count + k * ~again) << !(-local * (!one / (~-8 * backup_2_0))));
                            if (local < 105) {
                                backup_2_0 = again;
                                again = backup_2_1 ^ one << again;
                                backup_2_1 = k;
                                k = -(!(k != backup_2_1) != again);
                                if (again <= -2 || again == k) {
                                    __builtin_printf("%lld", (long long)again);
                                }
                            }
                            again = backup_2_0;
                            k = backup_2_1;
                        }
                        continue;
                    }
                }
                return local;
            }
            {
                int backup_7_0 = !(!again + 227ULL) * ~(k != ~one);
                if (k >= 4 || k >= one) {
                    backup_7_0 = again;
                    again = ~((backup_7_0 < one - -(count % 255880933910UL * k)) + again);
                    while (!(again >= -521241152)) {
                        __builtin_printf("%lld", (long long)again);
                    }
                }
                again = backup_7_0;
            }
            again = !1;
        }
    }
    return again;
}

int main(void)
{
    {
        int backup_12_0 = again;
        int backup_12_1 = (again >> backup_12_0) % count + !one;
        int backup_12_2 = count > ~~(-one ^ backup_12_1) - again;
        if (count <= 2) {
            backup_12_0 = one;
            one = (count == ~backup_12_0) << backup_12_2 >> backup_12_1 != !again;
            backup_12_1 = count;
            count = backup_12_1 / count;
            backup_12_2 = again;
            again = !(one >> (again ^ backup_12_1)) / (~count - !(backup_12_2 >> backup_12_0));
            while (count >= 2 && count == backup_12_2) {
                __builtin_printf("%lld", (long long)count);
            }
        }
        one = backup_12_0;
        count = backup_12_1;
        again = backup_12_2;
    }
    int left = nest();
    return left + count;
}
