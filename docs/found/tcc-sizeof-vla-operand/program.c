int printf(const char *, ...);

int main()
{
    int a = 0;
    sizeof *(++a, (int (*)[a])0);
    printf("%d %d", 0, a);
    return 0;
}
