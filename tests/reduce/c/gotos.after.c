int f(int c)
{
    if (!(c > 1)) { c++;
    c--; } end:
    c += 2;
do { c--; } while (c);
    out:
    return c;
}
