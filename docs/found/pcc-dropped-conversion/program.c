int printf(const char *, ...), a;

long f(unsigned b)
{
    return (int)(b << 16);
}

int main()
{
    a = f(32768) >> 1;
    printf("%X", a);
    return 0;
}
