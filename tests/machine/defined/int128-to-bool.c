// target: lp64
// A _Bool made of a wide integer looks at both halves.
int printf(const char *, ...);
static _Bool from_constant = (__int128)520 << 70;
int main(void) {
    volatile __int128 high = (__int128)520 << 70, low = 5, none = 0;
    _Bool a = high, b = low, c = none;
    printf("%d %d %d %d\n", from_constant, a, b, c);
    return 0;
}
