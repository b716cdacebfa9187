#include <stdarg.h>
static int first(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int value = va_arg(ap, int);
    return value; // UB: va-list-state
}
int main(void) { return first(1, 2); }
