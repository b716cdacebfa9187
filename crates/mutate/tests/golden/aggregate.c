/* Live variables of several types at points with known values. */
short s = 7;

int main(void)
{
    int i, n = 2;
    unsigned long u = 9;
    for (i = 0; i < 3; i++) {
        s += n;
        u ^= s;
        n = n + i;
    }
    return s + n + (u & 15);
}
