// A list passed on: used by the callee and its own callee, ended by the caller; copies go on.
#include <stdarg.h>
static int inner(va_list ap) { return va_arg(ap, int); }
static int outer(int n, va_list ap) {
    int sum = n ? va_arg(ap, int) : 0;
    return 10 * sum + inner(ap);
}
static int use(int n, ...) {
    va_list ap, copy;
    va_start(ap, n);
    va_copy(copy, ap);
    int sum = outer(n, ap);
    va_end(ap);
    sum = 100 * sum + outer(0, copy);
    va_end(copy);
    return sum;
}
int main(void) { return use(2, 3, 4) != 3403; }
