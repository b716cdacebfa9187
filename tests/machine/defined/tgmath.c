#include <stdio.h>
#include <tgmath.h>
int main(void) {
    float f = 2.0f;
    double d = 3.0;
    long double l = 4.0L;
    int i = 16, e;
    printf("%zu %zu %zu %zu\n", sizeof sqrt(f), sizeof sqrt(d), sizeof sqrt(l), sizeof sqrt(i));
    printf("%.6f %.6f %.6Lf %.6f\n", sqrt(f), sqrt(d), sqrt(l), sqrt(i));
    printf("%zu %zu %.3f %.3f\n", sizeof pow(f, f), sizeof pow(f, i), pow(f, f), pow(d, i));
    printf("%.3f %zu\n", frexp(f, &e), sizeof frexp(l, &e));
    printf("%ld %zu %.2f\n", lrint(f + 0.6f), sizeof fma(f, f, f), fmax(f, d));
    printf("%.3f %.3f\n", fabs(-f), ldexp(d, 2));
    return 0;
}
