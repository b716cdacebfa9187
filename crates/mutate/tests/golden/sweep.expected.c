int total;

static int twice(int x)
{
    return x + x;
}

static struct {
    unsigned char m0;
    long m1;
} sweep_2_0[5] = {{2, 18L}, {1, 26L}, {254, 2L}, {253, -5L}, {255, 20L}};

static unsigned int sweep_2_0_f(unsigned char a0, long a1)
{
    return a1 / a0 & a1 | ~2UL;
}

int sweep_3_0_0[14] = {-7, 12, 17, -12, 4, 0, -2, 17, 26, -3, 1073741824, -3, -11, 32};
int sweep_3_0_1[14] = {1836132899, -1, -1648752374, 26, -937812106, 478, 13, 1566486, 18790, -1561641238,
    2147483647, 1095299, 12064337, -1886045707};

static long sweep_3_0_f(int a0, int a1)
{
    unsigned long long v0 = (signed char)a1 * (unsigned int)(-(!0ULL & a0) * (a0 / a1));
    if (~5 | 6 ^ v0 <= v0)
        v0 = (a0 * v0 + v0) / -7L;
    if (v0)
        v0 = (int)(unsigned short)(v0 << v0);
    return (-2 & -3) >> (a1 & v0);
}

static const signed char sweep_5_0_0[14] = {63, 16, 65, 1, -126, 126, 7, 31, 32, 127, 41, 5, 33, 63};

int main(void)
{
    {
        int i;
        unsigned long j;
        static const unsigned int wanted[5] = {4294967293U, 4294967295U, 4294967293U, 4294967293U, 4294967293U};
        unsigned int got[5];
        i = 0;
        j = 0;
        while (j < 5) {
            got[i * 5 + j] = sweep_2_0_f(sweep_2_0[j].m0, sweep_2_0[j].m1);
            j++;
        }
        for (i = 0; i < 5; i++)
            if (got[i] != wanted[i])
                __builtin_abort();
    }
    int i;
    for (i = 0; i < 3; i++) {
        {
            unsigned int i;
            short j;
            static const int wanted[14] = {-4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4, -4};
            int got[14];
            i = 0;
            j = 0;
            do {
                got[i * 14 + j] = sweep_3_0_f(sweep_3_0_0[j], sweep_3_0_1[j]);
            } while (++j < 14);
            for (i = 0; i < 14; i++)
                if (got[i] != wanted[i])
                    __builtin_abort();
        }
        total += twice(i);
    }
    {
        unsigned int i;
        unsigned long j;
        unsigned long s = 0UL;
        i = 0;
        for (j = 0; j < 14; j++) {
            unsigned long long v0 = !sweep_5_0_0[j] <= 396385;
            if ((signed char)sweep_5_0_0[j])
                v0 = v0 % sweep_5_0_0[j] & v0;
            if (sweep_5_0_0[j] * !~sweep_5_0_0[j] & sweep_5_0_0[j])
                v0 = (unsigned char)v0 >= !sweep_5_0_0[j] + (v0 < (-7UL <= sweep_5_0_0[j]));
            s -= (unsigned long)((v0 ^ 18446744073709551610UL) / sweep_5_0_0[j] ? sweep_5_0_0[j] : v0);
        }
        if (s != 18446744073709551132UL)
            __builtin_abort();
    }
    return total;
}
