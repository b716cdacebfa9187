int a, b, c;

void loops(void)
{
    short d = 0;
    for (; d < 2; d++) {
        for (b = 0; b < 1; b++)
            for (; c; c++)
                a = d;
        for (; b < 1; b++)
            c = 0;
        if (a != c) {
            for (a = 7; a != b; a++) {
                c = c;
            }
        }
        if (c)
            break;
    }
}

int main(void)
{
    if (!(a < b)) {
        loops();
    }
    return a + b - 1;
}
