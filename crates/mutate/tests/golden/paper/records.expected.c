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
        int backup_5_0 = ~(all[0].first << !(~!(one.first == all[1].second) == !one.second - pass));
        int backup_5_1 = ~(((!-!pass ^ one.first) >= !(one.second + all[1].second)) - (!backup_5_0 | all[0].first));
        if (pass == one.first) {
            backup_5_0 = one.second;
            one.second = ~(backup_5_0 != (-one.second == 1064215884));
            backup_5_1 = all[0].first;
            all[0].first = ~one.first - backup_5_0 | all[0].first | all[1].second * backup_5_1 * - - -pass;
            while (backup_5_0 <= backup_5_1) {
                __builtin_printf("%lld", (long long)one.second);
            }
        }
        one.second = backup_5_0;
        all[0].first = backup_5_1;
    }
    for (pass = 0; pass < 2; pass++) {
        all[pass] = one;
        one = all[0];
    }
    return one.second - 1 + all[1].first;
}
