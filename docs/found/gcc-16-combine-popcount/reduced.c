int printf(const char *, ...);
int a;

int main(void)
{
    printf("%d\n", __builtin_popcountll(-1 - ((__int128)a | (unsigned long)-1) >> 1));
}
