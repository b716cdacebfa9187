char down;
int low, nine = 9, depth, e;

void work(void)
{
    unsigned int flag = 1;
    int eight = 8, five = 5;
    {
        int backup_9_0 = -(!(nine >> low > down) + (-(five > flag) | e));
        int backup_9_1 = -(-!(!-3 < eight) - (!five < (nine == backup_9_0)));
        if (flag < 6U && backup_9_0 < eight && (depth != 5 && nine < 1287476)) {
            backup_9_0 = nine;
            nine = !(-18446744073709551608UL * (-low | -((flag == depth) / ~eight) * -!five));
            backup_9_1 = five;
            five = !(-2147483647 - 1 != down);
            while (down == -1361070911 || !(eight > e)) {
                __builtin_printf("%lld", (long long)five);
            }
        }
        nine = backup_9_0;
        five = backup_9_1;
    }
    for (; down != 6; down--) {
        int *to = &five;
        for (;;) {
            {
                char backup_4_0 = !(eight * ~(nine * (depth - !~flag)));
                int backup_4_1 = ~(!(flag <= ~nine) * backup_4_0);
                if (e <= 0 || depth != flag || (backup_4_0 > 9728 || backup_4_1 > low)) {
                    backup_4_0 = down;
                    down = !((flag & eight) >> !-e);
                    backup_4_1 = five;
                    five = ~down - - -(!(nine ^ backup_4_1) * depth);
                    if (down == 129270930) {
                        __builtin_printf("%lld", (long long)five);
                    }
                }
                down = backup_4_0;
                five = backup_4_1;
            }
            if (depth <= eight) {
                for (; flag > 1U && e == 3 && depth > five;) {
                    if (depth << five < down) {
                        depth++;
                    }
                }
                break;
            }
            *to = (int)flag;
        }
    }
    for (; eight == depth || flag < depth || (five < flag || down > 7);) {
        for (nine = 9; nine <= five; nine--) {
            __builtin_abort();
        }
    }
    low = five + (nine != 9);
}

int main(void)
{
    work();
    return low + e;
}
