int cells[1] = {1}, got, down, other, sign, step;
volatile int on = 1;
char byte;

void count(void)
{
    if (down < sign) {
        switch ((int)got) {
        case 3:
            {
                __builtin_abort();
            }
            break;
        default:
            {
                cells[1] = cells[0] + got == step;
                __builtin_abort();
            }
        }
    }
    for (step = 15; step < 22; step += 5) {
        if (sign <= -6) {
            for (cells[0] = 7; cells[0] != step; cells[0]++) {
                do {
                    down = sign;
                } while (step - !sign);
            }
        }
        if (on) {
            if (cells[0] <= down) {
                for (down = 0; down != !byte; down--) {
                    got = other;
                }
            }
            down--;
            {
                int backup_1_0 = ~~byte < -(cells[0] != got);
                int backup_1_1 = sign < 5L;
                if (!(step == 18 || cells[0] < 0)) {
                    backup_1_0 = down;
                    down = -(~18446744073709551614UL - byte) | ~cells[0] > !step;
                    backup_1_1 = sign;
                    sign = backup_1_1;
                    if (byte < sign) {
                        __builtin_printf("%lld", (long long)down);
                    }
                }
                down = backup_1_0;
                sign = backup_1_1;
            }
            sign--;
            {
                int backup_2_0 = ~(other + step);
                int backup_2_1 = -(other + (down | !sign));
                if (down == sign || backup_2_1 < 3) {
                    backup_2_0 = other;
                    other = -(backup_2_0 ^ cells[0] == ~got) >= -byte;
                    backup_2_1 = down;
                    down = ~((-(cells[0] / step) + ~byte > -got * ~sign) + backup_2_0 * ~6);
                    if (byte == step) {
                        __builtin_printf("%lld", (long long)down);
                    }
                }
                other = backup_2_0;
                down = backup_2_1;
            }
            byte--;
            {
                int backup_3_0 = -other;
                int backup_3_1 = !backup_3_0 - ~((got % cells[0] ^ !step) >= sign);
                if (down > -5) {
                    backup_3_0 = down;
                    down = ~-sign - -(step >> 0ULL > other);
                    backup_3_1 = cells[0];
                    cells[0] = ~~(got >> step - -other) - cells[0] * backup_3_1;
                    while (byte < -7) {
                        __builtin_printf("%lld", (long long)down);
                    }
                }
                down = backup_3_0;
                cells[0] = backup_3_1;
            }
            other = sign < 0;
        } else {
            byte = 0;
        }
    }
}

int main(void)
{
    if (other >= 1177349696 || got != down) {
        switch ((int)(other >> 3)) {
        case 3:
            {
                if ((other << 7) % 3) {
                    sign++;
                    __builtin_abort();
                }
            }
            break;
        default:
            {
                do {
                    cells[sign] = got / 3;
                } while (!got);
            }
        }
    }
    count();
    if (sign <= -2) {
        got = cells[byte & 1];
    }
    return got - 1;
}
