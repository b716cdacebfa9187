// gcc alone
// A nested function that qsort calls leaves the sort by a nonlocal goto.
#include <stdlib.h>
static int sorted(int *v, int n) {
    __label__ found;
    int calls = 0;
    int compare(const void *a, const void *b) {
        if (++calls == 3) goto found;
        return *(const int *)a - *(const int *)b;
    }
    qsort(v, n, sizeof *v, compare);
    return -1;
found:
    return calls;
}
int main(void) {
    int v[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    return !(sorted(v, 8) == 3 && sorted(v, 1) == -1);
}
