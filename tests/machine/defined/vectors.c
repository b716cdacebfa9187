// target: lp64
#include <stdio.h>
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
typedef long long l2 __attribute__((vector_size(16)));
static v4 f(v4 a, v4 b, int k) { a[k] = 100; return a * b - (a > b) + k; }
int main(void) {
    v4 a = {1, 2, 3, 4}, b = {-5, 6, -7}, c = f(a, b, 2);
    for (int i = 0; i < 4; i++) printf("%d %d %d %d\n", c[i], (a ^ b)[i], (b >> 1)[i], (a == (v4){1, 0, 3, 0})[i]);
    b16 x = (b16)a, y = x + 250;
    for (int i = 0; i < 16; i += 3) printf("%d ", y[i]);
    d2 p = {1.5, -2}, q = p * p / 3 + (d2){1, 1};
    l2 m = p < q;
    printf("%g %g %lld %lld %d\n", q[0], q[1], m[0], m[1], (int)sizeof(v4));
    v4 *ptr = &a;
    (*ptr)[3]++, a += 1;
    v4 s = -a, t = ~a & 7;
    for (int i = 0; i < 4; i++) printf("%d %d %d,", s[i], t[i], (a << 2)[i]);
    printf("\n");
    return 0;
}
