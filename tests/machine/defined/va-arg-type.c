// Types as promoted; signed for unsigned where the value fits both; void * for char *.
#include <stdarg.h>
struct trio { char c[3]; };
struct large { long a, b, c; };
static int all(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int c = va_arg(ap, int);
    unsigned u = va_arg(ap, unsigned);
    double d = va_arg(ap, double);
    char *s = va_arg(ap, void *);
    struct trio trio = va_arg(ap, struct trio);
    struct large large = va_arg(ap, struct large);
    long double ld = va_arg(ap, long double);
    va_end(ap);
    return c == 'x' && u == 7 && d == 2.5 && s[0] == 'q' && trio.c[2] == 3 && large.c == 30 && ld == 1.25L;
}
int main(void) {
    char c = 'x';
    float f = 2.5f;
    return !all(7, c, 7, f, "q", (struct trio){{1, 2, 3}}, (struct large){10, 20, 30}, 1.25L);
}
