int f(int c, int x)
{
    if (c) x = 1;
    if (c > 2) { x = c; } else x = 3, c = 4;
    if (c) x = 5; else { x = c || x; }
    if (x) return 1; else return c, x;
}
int g(int c) { if (c) { return 1; } return 2; }
