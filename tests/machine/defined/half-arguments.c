// target: lp64
// gcc has no _Float16 without SSE2. Such arguments are not promoted, not even without a prototype.
#include <stdarg.h>
#include <stdio.h>
static _Float16 sum(_Float16 first, ...) {
    va_list list;
    va_start(list, first);
    _Float16 second = va_arg(list, _Float16);
    va_end(list);
    return first + second;
}
static _Float16 old(x)
    _Float16 x;
{
    return x + 1;
}
int main(void) {
    volatile _Float16 a = 1.5f16, b = -4.25f16;
    printf("%g %g\n", (double)sum(a, b), (double)old(b));
    return 0;
}
