/* strategy: hermes/fcb
   As Hermes, figure 9e: loops over globals inside a loop over a short, with a test behind them. */
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
        if (c)
            break;
    }
}

int main(void)
{
    loops();
    return a + b - 1;
}
