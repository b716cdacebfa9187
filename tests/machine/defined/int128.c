// target: lp64
#include <stdio.h>
typedef __int128 i; typedef unsigned __int128 u;
static void show(u x) { printf("%016llx%016llx\n", (unsigned long long)(x >> 64), (unsigned long long)x); }
static i f(int a, i b, long c, u d) { return b * a - c + (i)(d >> 3); }
int main(void) {
    u a = (u)0x123456789abcdefULL << 60 | 0xfedcba, b = ~(u)0 / 12345;
    i s = -(i)a / 7, t = -1;
    show(a * b), show(a / 1000003), show(b % a), show(s), show(s >> 77), show(s % 1000), show(a ^ b << 3), show(f(3, s, -5, b));
    printf("%d %d %d %d\n", s < 0, (u)t > a, (int)sizeof(i), a > b);
    double d = (double)s;
    show((u)-d / 2 + (u)(i)1e30), show((i)-1e25f * 2);
    printf("%g %g\n", d, (double)(float)b);
    struct { char c; i v; } x = {1, s};
    x.v++, x.v *= 2, x.v |= 5;
    show(x.v), show((u)x.v >> 1);
    for (u k = 1; k; k *= 1000003) if (k >> 120) { show(k); break; }
    return 0;
}
