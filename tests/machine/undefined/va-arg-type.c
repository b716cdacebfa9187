#include <stdarg.h>
static int first(int n, ...) {
    va_list ap;
    va_start(ap, n);
    double d = va_arg(ap, double); // UB: va-arg-type
    va_end(ap);
    return d > 0;
}
int main(void) { return first(1, 5L); }
