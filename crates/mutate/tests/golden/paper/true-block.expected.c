char down;
int low, nine = 9, depth, e;

void work(void)
{
    if (low < depth) {
        if (~depth != e) {
            switch ((int)(down != down)) {
            case 1:
                {
                    __builtin_abort();
                }
                break;
            default:
                {
                    e--;
                    down = 3;
                }
            }
        }
    }
    unsigned int flag = 1;
    int eight = 8, five = 5;
    if (eight > 117848322) {
        nine -= eight > (eight | low);
    }
    for (; down != 6; down--) {
        int *to = &five;
        for (;;) {
            if (low == 0 && five != depth && nine >= 9) {
                if (depth <= eight) {
                    {
                        char backup_3_0 = nine * low >> !((1U < five) * ((eight ^ down) & !flag));
                        unsigned int backup_3_1 = !eight != 2147483646 >= depth;
                        int backup_3_2 = ~nine / -(flag > backup_3_0) >> eight;
                        if (backup_3_0 != -8 && backup_3_1 < eight) {
                            backup_3_0 = down;
                            down = -(depth + 18446744073709551610UL);
                            backup_3_1 = flag;
                            flag = !(-flag < down + low);
                            backup_3_2 = low;
                            low = -depth * down << !(low >= backup_3_0 <= -(eight ^ 0) >= ~backup_3_1);
                            if (backup_3_2 > eight && low == 5) {
                                __builtin_printf("%lld", (long long)low);
                            }
                        }
                        down = backup_3_0;
                        flag = backup_3_1;
                        low = backup_3_2;
                    }
                    break;
                }
            }
            *to = (int)flag;
        }
    }
    for (; !!(eight <= down);) {
        __builtin_abort();
    }
    low = five + (nine != 9);
}

int main(void)
{
    if (e <= down) {
        work();
    }
    {
        char backup_13_0 = ~(low - nine / (e == depth) ^ ~down);
        if (depth != nine || nine == e) {
            backup_13_0 = down;
            down = e % 448563442955L;
            while (low < down) {
                __builtin_printf("%lld", (long long)down);
            }
        }
        down = backup_13_0;
    }
    return low + e;
}
