int zero;

int main(void)
{
    while (zero < 0) {
        switch ((int)(zero != zero)) {
        case 1:
            {
                __builtin_abort();
            }
            break;
        default:
            {
                zero--;
                zero = 3;
            }
        }
    }
    int minus = -1, outer = 0, inner, cells[2] = {0};
    while (cells[1] < outer && cells[0] <= minus) {
        cells[minus] = ~~8;
    }
    unsigned short far = minus;
    if (outer < -651127019 || minus >= cells[0] || outer > 5) {
        do {
            switch ((int)(cells[1] >> 1)) {
            case 2:
                {
                    if (zero == outer) {
                        far = cells[~4];
                    }
                }
                break;
            default:
                {
                    __builtin_printf("%d", (int)inner);
                }
            }
        } while (outer);
    }
    for (; outer < 3; outer++) {
        if (minus < 1) {
            for (inner = 0; inner < 2; inner++) {
                if (inner <= minus) {
                    __builtin_abort();
                }
                cells[inner] += outer;
            }
        }
    }
    return cells[1] + zero + (far != 65535);
}
