int printf(const char *, ...), a;

int main()
{
    for (int b = 0; b != 8; b = b + 1)
        a = a ^ 1;
    printf("%X", a);
    return 0;
}
