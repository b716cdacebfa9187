/* Each value is computed from a few variables, of the function and of the program. */
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
        small = small + i;
        wide = wide * 2;
        s = scale(i);
    }
    return s + (int)wide + small;
}
