#include <stdarg.h>
static int use(int n, ...) {
    va_list ap;
    va_start(ap, n);
    va_end(ap);
    return va_arg(ap, int); // UB: va-list-state
}
int main(void) { return use(1, 2); }
