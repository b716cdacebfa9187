// std: gnu2x
// target: lp64
// Counts of more than 64 bits that are below the width, and the largest ones.
int printf(const char *, ...);
int main(void) {
    volatile __int128 three = 3;
    unsigned _BitInt(90) count = 127;
    unsigned __int128 one = 1;
    int i = 1;
    i <<= three;
    printf("%d %d %llx\n", i, 1 << (unsigned __int128)three, (unsigned long long)((one << count) >> 64));
    unsigned _BitInt(70) last = (unsigned _BitInt(70))1 << (__int128)69;
    printf("%d\n", (int)(last >> (unsigned __int128)69));
    return 0;
}
