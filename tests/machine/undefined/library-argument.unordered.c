// C11 7.22.5.1p2: the elements are in the order in which they compare with the key.
#include <stdlib.h>
static int by_value(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
int main(void) {
    int x[5] = {3, 1, 2, 5, 4}, key = 2;
    return bsearch(&key, x, 5, sizeof *x, by_value) == NULL; // UB: library-argument
}
