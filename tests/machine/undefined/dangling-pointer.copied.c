// C11 6.2.4p2: reading the value of a pointer to a freed object is enough.
#include <stdlib.h>
int main(void) {
    char *p = malloc(1), *q;
    free(p);
    q = p; // UB: dangling-pointer
    return q == 0;
}
