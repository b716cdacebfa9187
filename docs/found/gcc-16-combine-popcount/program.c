int printf(const char *, ...), a;

int main()
{
    printf("%X", __builtin_popcountll(-1 - ((__int128)a | (unsigned long)-1) >> 1));
}
