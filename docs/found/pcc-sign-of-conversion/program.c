int printf(const char *, ...), a = 1;

int main()
{
    printf("%d", (int)(2147483647 + a * 1U) < 0);
    return 0;
}
