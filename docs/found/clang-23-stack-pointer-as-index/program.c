int a;
long b;

int main()
{
    char c[5] = {};
    if (c[a + 1 + (b >= 0) + b + (b > 0)])
        __builtin_printf(0);
    return 0;
}
