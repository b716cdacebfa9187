int printf(const char *, ...), a = 1;
int main()
{
    printf("%X", (unsigned )a << 9 << 23);
    return 0;
}
