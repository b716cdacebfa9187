// target: lp64
// float, double, long double and complex arithmetic, bit for bit.
#include <stdio.h>
#include <string.h>
static void bits(double d) { unsigned long long u; memcpy(&u, &d, 8); printf("%016llx ", u); }
static void fbits(float d) { unsigned u; memcpy(&u, &d, 4); printf("%08x ", u); }
int main(void) {
    volatile double a = 1.0 / 3, b = 1e-310, c = 1e308, zero = 0.0;
    volatile float f = 16777217.0f, g = 1e-40f, h = 0.1f;
    volatile long double l = 1.0L / 3;
    bits(a * 3 - 1), bits(b / 3), bits(a / 7 + b), bits(-zero), bits(c * 10), bits(a - a), bits((double)h), bits(c / 3.7 * a);
    printf("\n");
    fbits(f + 1), fbits(g / 3), fbits(h * h), fbits((float)a), fbits(h / 3.0), fbits((float)1e-46), fbits(f * f * f);
    printf("\n%d %d %d %d\n", c * 10 > c, zero == -zero, (zero / zero) != (zero / zero), !(zero / zero < 1));
    printf("%.20Lg %.18Lg %d\n", l * 7, l / 11 - (long double)a, (int)(l * 3 == 1.0L));
    printf("%d %u %lld %llu\n", (int)-2.9, (unsigned)3e9, (long long)-9.2e18, (unsigned long long)1.8e19);
    unsigned long long big = 0xfffffffffffff801ULL;
    bits((double)big), fbits((float)big), bits((double)(long long)big), fbits((float)123456789), bits((double)0x7fffffffffffffffLL);
    printf("%.20Lg\n", (long double)big);
    double _Complex z = 3.0 + 4.0i, w = z * z + 1;
    float _Complex s = 1.5f - 2.0if;
    z += s;
    double _Complex conj = ~z, minus = -z;
    printf("%g %g %g %g %g %g %d\n", __real__ w, __imag__ w, __real__ z, __imag__ z, __real__ conj, __imag__ minus, z == w);
    __real__ z = 7;
    printf("%g %d %g\n", (double)z, !z, __imag__ z);
    double x = 0.1;
    x += 1, x *= 3, x -= 0.5f, x /= 7, x++;
    int n = 10;
    n *= 1.55, n += 0.9;
    printf("%.17g %d %a\n", x, n, 0x1.8p-3);
    return 0;
}
