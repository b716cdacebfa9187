int printf(const char *, ...), a;

int main()
{
    short *b = __builtin_calloc(1, 2);
    a = b[0];
    __builtin_free(b);
    int c = 1 + 1;
    b = __builtin_malloc(c * 2);
    for (int d = 1; d >= 0; d--)
        b[d] = 0;
    for (int d = 0; d < c; d++)
        a = a | b[d];
    printf("%X", a);
    return 0;
}
