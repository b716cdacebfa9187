int cells[1] = {1}, got, down, other, sign, step;
volatile int on = 1;
char byte;

void count(void)
{
    for (step = 15; step < 22; step += 5) {
        {
            int backup_7_0 = -(~~!(sign == step) % ~(cells[0] << !(down == got - other)));
            char backup_7_1 = ~((cells[0] <= -1984382902) % step);
            if (byte <= down) {
                backup_7_0 = got;
                got = -(!~(backup_7_0 ^ sign) - ~-backup_7_1 >> (other <= -1 % ~step));
                backup_7_1 = byte;
                byte = ~(backup_7_1 > got);
                while (down >= step) {
                    __builtin_printf("%lld", (long long)byte);
                }
            }
            got = backup_7_0;
            byte = backup_7_1;
        }
        if (on) {
            down--;
            if (cells[0] < other || other > 1 || got >= 2 && step != 7) {
                continue;
            }
            sign--;
            if (cells[0] != 1 || step < cells[0] || (cells[0] == -7 || byte == 4081)) {
                if (cells[cells[0]] == cells[on]) {
                    cells[0]--;
                } else {
                    byte = down;
                }
                cells[cells[0]] = (sign | byte) < (step > other);
            }
            byte--;
            other = sign < 0;
        } else {
            byte = 0;
        }
    }
}

int main(void)
{
    if (step <= 0) {
        count();
    }
    for (; got <= 345556841 && byte >= -2 && !(sign >= -2);) {
        switch ((int)cells[0]) {
        case 3:
            {
                switch ((int)9) {
                case 2:
                    {
                        __builtin_printf("%d", (int)step);
                    }
                    break;
                default:
                    {
                        for (on = 3; on <= other; on--) {
                            continue;
                        }
                    }
                }
            }
            break;
        default:
            {
                down -= cells[0];
            }
        }
    }
    got = cells[byte & 1];
    return got - 1;
}
