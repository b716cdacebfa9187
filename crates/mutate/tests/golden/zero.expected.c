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
        small = small + i | s == 8;
        wide = wide * 2 + (wide >= 3L);
        s = scale(i);
    }
    return s + (int)wide + small + (s == 425800386 || !(wide <= 155074573937460939L));
}
