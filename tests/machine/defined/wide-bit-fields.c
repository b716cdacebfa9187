// Wider than int, where computing in the field's own width (gcc) and in its declared type (clang) come to the same.
#include <stdio.h>
struct s {
    unsigned long long u : 33;
    long long i : 40;
} s = {0x1ffffffff, -5};
int main(void) {
    unsigned long long full = 3;
    printf("%d %d %d\n", s.u > 7, s.u == full, s.i < -1);
    printf("%llx %llx\n", s.u + full, (unsigned long long)(s.u >> 4));
    printf("%lld %lld %llx\n", (long long)(s.i / 2), (long long)(s.i & 255), (unsigned long long)(s.u & 0xffu));
    s.u += 2;
    printf("%llx\n", (unsigned long long)s.u);
    return 0;
}
