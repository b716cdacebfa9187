unsigned char small = 200;
long wide = -3;

int scale(int x)
{
    int y;
    y = x * 3;
    return y - 1;
}

static inline int outlined_5(int i)
{
    return small + i;
}

static inline int outlined_10(int s)
{
    return s + (int)wide + small;
}

int main(void)
{
    int i, s = 0;
    for (i = 0; i < 4; i++) {
        small = wide != s ? outlined_5(i) : small + i;
        wide = wide * 2;
        s = scale(i);
    }
    return s > small ? s + (int)wide + small : outlined_10(s);
}
