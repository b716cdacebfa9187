int printf(const char *, ...), a;
long b = 1;

int main()
{
    a = b * (__int128)(long)9223372036854775808 >> 63;
    printf("%X", a);
    return 0;
}
