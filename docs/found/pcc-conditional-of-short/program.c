int printf(const char *, ...);

int main()
{
    short a = 32768;
    unsigned short b;
    printf("%X", 1 ? a : b);
    return 0;
}
