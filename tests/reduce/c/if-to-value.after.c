int f(int c, int x)
{
    x = c;
    if (c > 2) { x = c; } else x = 3, c = 4;
    x = c ? 5 : c || x;
    return x ? 1 : (c, x);
}
int g(int c) { return c ? 1 : 2; }
