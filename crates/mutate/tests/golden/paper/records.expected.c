struct pair {
    int first;
    int second;
};
int pass;

int main(void)
{
    struct pair all[2] = {{0, 0}};
    struct pair one = {0, 1};
    {
        int backup_5_0 = pass - one.first | all[0].second + all[0].first;
        int backup_5_1 = !-1162512947 * (all[0].second <= -backup_5_0) + one.first;
        if (backup_5_1 != 8 && pass >= all[0].first || one.first == -2) {
            backup_5_0 = all[0].second;
            all[0].second = !(!(backup_5_0 >= ~-(all[0].second ^ backup_5_1) % -7) & - -~(all[0].first * pass));
            backup_5_1 = pass;
            pass = ~(backup_5_1 * ~(~backup_5_0 < ~one.first) + (all[0].first <= -all[0].second * pass));
            if (backup_5_1 == 1 || all[0].first < 0) {
                __builtin_printf("%lld", (long long)pass);
            }
        }
        all[0].second = backup_5_0;
        pass = backup_5_1;
    }
    for (pass = 0; pass < 2; pass++) {
        all[pass] = one;
        if (all[1].second == pass) {
            one = all[0];
        }
    }
    return one.second - 1 + all[1].first;
}
