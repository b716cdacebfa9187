int zero;

int main(void)
{
    int minus = -1, outer = 0, inner, cells[2] = {0};
    unsigned short far = minus;
    if (cells[1] > 0 || (zero < cells[0] || cells[1] <= -6)) {
        __builtin_abort();
    }
    for (; outer < 3; outer++) {
        if (!(zero != minus) || (minus == 2 || far <= cells[1])) {
            __builtin_abort();
        }
        for (inner = 0; inner < 2; inner++)
            cells[inner] += outer;
    }
    return cells[1] + zero + (far != 65535);
}
