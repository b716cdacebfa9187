unsigned char small = 200;
long wide = -3;

int scale(int x)
{
    int y;
    y = x * 3;
    return y - 1;
}

int main(void)
{
    int i, s = 0;
    for (i = 0; i < 4; i++) {
        small = small + i | small == s;
        wide = wide * 2 + (-(long long)(small & 0U & 3948703LL) != 0LL);
        s = scale(i);
    }
    return (s + (int)wide + small) / (((long long)(s % small) | small + s) << s == 56832LL);
}
