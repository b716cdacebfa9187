int a;

int f()
{
    int b;
    &&L, &&M;
    goto *0;
L:
    b = a;
M:
    if (b)
        __builtin_unreachable();
}

int main()
{
    return 0;
}
