// Library functions that the library is to call; the exit status is that of the first exit.
#include <stdlib.h>
#include <stdio.h>
#include <ctype.h>
static void last(void) { puts("last"); }
static int count;
static int by_value(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
static void first(void) { printf("first %d\n", count); }
int main(void) {
    int (*test)(int) = toupper;
    count = test('a');
    int x[7] = {3, 1, 2, 1, 5, 5, 4}, key = 5, none = 0;
    qsort(x, 7, sizeof *x, by_value);
    int *at = bsearch(&key, x, 7, sizeof *x, by_value);
    if (!at || *at != 5 || bsearch(&none, x, 7, sizeof *x, by_value)) return 1;
    atexit(last);
    atexit(first);
    return 0;
}
