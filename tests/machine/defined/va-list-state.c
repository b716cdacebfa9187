// Started again after its end; copied; handed to a function by pointer and used on.
#include <stdarg.h>
static int take(va_list *ap) { return va_arg(*ap, int); }
static int sum(int n, ...) {
    va_list ap, copy;
    int s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) s += va_arg(ap, int);
    va_end(ap);
    va_start(ap, n);
    va_copy(copy, ap);
    s = 10 * s + take(&ap);
    s = 10 * s + va_arg(ap, int);
    s = 10 * s + va_arg(copy, int);
    va_end(copy);
    va_end(ap);
    return s;
}
int main(void) { return sum(3, 1, 2, 3) != 6121; }
