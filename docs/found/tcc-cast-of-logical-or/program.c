int printf(const char *, ...), a;

int main()
{
    printf("%X", ~(unsigned)(a || 0) >> 1);
    return 0;
}
