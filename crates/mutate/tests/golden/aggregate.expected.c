short s = 7;

int main(void)
{
    {
        short row_0_0[5] = {s, !s, s, s, s};
        s = row_0_0[(s <= 11 || s < 7 ? 1 : 0) + ((s >= 13 || s == 7) && (s <= 4 || s > 1) ? 1 : 0) + (s != 7 || s == 7 ? 1 : 0) + (s > 7 ? 1 : 0) + (s > 7 ? 1 : 0)];
    }
    int i, n = 2;
    unsigned long u = 9;
    {
        struct {
            short m0;
        } held_6_0 = {s}, held_6_1 = {0};
        if (n != -4)
            held_6_1 = held_6_0;
        s = held_6_1.m0;
    }
    for (i = 0; i < 3; i++) {
        {
            int row_2_0[4] = {(i == u) % -(s ^ n), !(-(u >> n) | s ^ !(!0 - i)), n, s + -u};
            n = row_2_0[(i < n ? 1 : 0) + (s >= 7 ? 1 : 0) + (!(u >= 0UL) && (s < 88108 && i == s) ? 1 : 0)];
        }
        s += n;
        u ^= s;
        {
            struct {
                int m0;
                unsigned long m1;
            } held_4_0 = {n, u}, held_4_1 = {0};
            if (u != n)
                held_4_1 = held_4_0;
            n = held_4_1.m0;
            u = held_4_1.m1;
        }
        n = n + i;
    }
    {
        struct {
            int m0;
            short m1;
        } held_7_0 = {n, s}, held_7_1 = {0};
        if (!(u >= s))
            held_7_1 = held_7_0;
        n = held_7_1.m0;
        s = held_7_1.m1;
    }
    return s + n + (u & 15);
}
