struct pair {
    int first;
    int second;
};
int pass;

int main(void)
{
    while (pass < 0) {
        switch ((int)(pass != pass)) {
        case 1:
            {
                __builtin_abort();
            }
            break;
        default:
            {
                pass--;
                pass = 3;
            }
        }
    }
    struct pair all[2] = {{0, 0}};
    while (pass < all[1].first && all[0].first <= -1127857699) {
        for (all[1].second = 3; all[1].second > pass; all[1].second++) {
            if (all[1].first + all[1].first % 3) {
                continue;
            } else {
                continue;
            }
            all[1].first = 3;
        }
    }
    struct pair one = {0, 1};
    {
        int backup_5_0 = (one.first != (all[1].second != all[0].first)) >> (~one.second < ~-pass);
        int backup_5_1 = ~(-one.second != (~-all[0].first == -(backup_5_0 != pass)));
        int backup_5_2 = ~one.first - backup_5_0 | all[0].first | all[1].second * backup_5_1 * - - -pass;
        if (backup_5_1 < all[1].second) {
            backup_5_0 = all[1].second;
            all[1].second = !(-2147483647 - 1 != one.first);
            backup_5_1 = all[0].first;
            all[0].first = -(one.first ^ backup_5_1 == all[1].second <= one.second == !!-pass) >= backup_5_2;
            backup_5_2 = one.second;
            one.second = -(pass >> one.second > all[0].first) * (all[1].second >> (backup_5_0 > backup_5_1));
            while (all[1].second < backup_5_0 || all[0].first > backup_5_2) {
                __builtin_printf("%lld", (long long)all[0].first);
            }
        }
        all[1].second = backup_5_0;
        all[0].first = backup_5_1;
        one.second = backup_5_2;
    }
    for (pass = 0; pass < 2; pass++) {
        {
            int backup_2_0 = (-pass & (!all[0].second ^ !(all[1].first + 18446744073709551612UL))) > one.first;
            int backup_2_1 = ~(~backup_2_0 >= all[0].second) < one.first - all[1].first >= ~pass;
            int backup_2_2 = backup_2_0;
            if (backup_2_1 > one.first) {
                backup_2_0 = all[0].second;
                all[0].second = !(~pass & ~(5 == -(backup_2_2 >= backup_2_1))) != -~(~one.first - all[0].second);
                backup_2_1 = all[1].first;
                all[1].first = -(backup_2_0 != (-backup_2_2 ^ one.first | -2147483647 - 1 | ~pass) | backup_2_1);
                backup_2_2 = one.first;
                one.first = !(-all[1].first ^ one.first > (backup_2_0 ^ pass >= all[0].second) ^ ~(2ULL | !backup_2_2));
                while (all[0].second > 3) {
                    __builtin_printf("%lld", (long long)all[1].first);
                }
            }
            all[0].second = backup_2_0;
            all[1].first = backup_2_1;
            one.first = backup_2_2;
        }
        all[pass] = one;
        for (; !(one.first >= 0);) {
            one.first = (one.second ^ all[0].second) << !one.first;
        }
        one = all[0];
    }
    return one.second - 1 + all[1].first;
}
