// C11 7.16p3: after a function that the list was passed to has used it, its value is indeterminate.
#include <stdarg.h>
static int take(va_list ap) { return va_arg(ap, int); }
static int use(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int sum = take(ap);
    sum += va_arg(ap, int); // UB: va-list-state
    va_end(ap);
    return sum;
}
int main(void) { return use(2, 0, 0); }
