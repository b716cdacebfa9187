// C11 6.2.4p2: the value of a pointer is indeterminate once its object is gone.
#include <stdlib.h>
int main(void) {
    char *p = malloc(4), *q = malloc(4);
    if (!p || !q) return 1;
    free(p);
    return p == q; // UB: dangling-pointer
}
