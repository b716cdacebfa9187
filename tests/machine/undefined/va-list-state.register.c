#include <stdarg.h>
static int first(register int n, ...) {
    va_list ap;
    va_start(ap, n); // UB: va-list-state
    int value = va_arg(ap, int);
    va_end(ap);
    return value;
}
int main(void) { return first(1, 2); }
