/* Two nested loops with an array that a false block could overrun, and variables of several types. */
int a;

int main(void)
{
    int b = -1, d, e = 0, f[2] = {0};
    unsigned short c = b;
    for (; e < 3; e++)
        for (d = 0; d < 2; d++)
            a = f[d] + c * 0;
    return a;
}
