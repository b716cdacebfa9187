// C11 7.22.5p4: the comparison function has to be consistent.
#include <stdlib.h>
static int above(const void *a, const void *b) {
    (void)a;
    (void)b;
    return 1;
}
int main(void) {
    int x[3] = {3, 2, 1};
    qsort(x, 3, sizeof *x, above); // UB: library-argument
    return 0;
}
