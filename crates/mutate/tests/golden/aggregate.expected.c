short s = 7;

int main(void)
{
    {
        short row_0_0[5] = {s, !s, s, s, s};
        s = row_0_0[(s <= 11 || s < 7 ? 1 : 0) + ((s >= 13 || s == 7) && (s <= 4 || s > 1) ? 1 : 0) + (s != 7 || s == 7 ? 1 : 0) + (s > 7 ? 1 : 0) + (s > 7 ? 1 : 0)];
    }
    int i, n = 2;
    {
        struct {
            int m0;
            short m1;
        } held_1_0 = {n, s}, held_1_1 = {0};
        if (s >= n)
            held_1_1 = held_1_0;
        n = held_1_1.m0;
        s = held_1_1.m1;
    }
    unsigned long u = 9;
    {
        struct {
            int m0;
        } held_6_0 = {n}, held_6_1 = {0};
        if (s >= n || n == 0)
            held_6_1 = held_6_0;
        n = held_6_1.m0;
    }
    for (i = 0; i < 3; i++) {
        {
            int row_2_0[4] = {i, ~(((s & i) != u) >= n), -(-i | u - !n) > (!2147483647 ^ !s), s << (u <= n) * i >= !2147483647};
            i = row_2_0[!(s != 13) ? 1 : 0];
        }
        s += n;
        {
            struct {
                int m0;
            } held_3_0 = {n}, held_3_1 = {0};
            if (s > i)
                held_3_1 = held_3_0;
            n = held_3_1.m0;
        }
        u ^= s;
        {
            struct {
                short m0;
            } held_4_0 = {s}, held_4_1 = {0};
            if (u <= 6406603112509832UL)
                held_4_1 = held_4_0;
            s = held_4_1.m0;
        }
        n = n + i;
    }
    {
        struct {
            int m0;
            int m1;
            short m2;
        } held_7_0 = {n, i, s}, held_7_1 = {0};
        if (s < 21)
            held_7_1 = held_7_0;
        n = held_7_1.m0;
        i = held_7_1.m1;
        s = held_7_1.m2;
    }
    return s + n + (u & 15);
}
