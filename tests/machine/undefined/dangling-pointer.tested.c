// C11 6.2.4p2 with J.2: whether a pointer to a freed object is null is a use of its value.
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    if (!p) return 0;
    free(p);
    return p != NULL; // UB: dangling-pointer
}
