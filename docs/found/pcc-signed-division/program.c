int printf(const char *, ...), a = -1;

int main()
{
    printf("%X", a / 2 * 1U);
    return 0;
}
