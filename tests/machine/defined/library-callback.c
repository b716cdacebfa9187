// Library functions that the library is to call; the exit status is that of the first exit.
#include <stdlib.h>
#include <stdio.h>
#include <ctype.h>
static void last(void) { puts("last"); }
static int count;
static void first(void) { printf("first %d\n", count); }
int main(void) {
    int (*test)(int) = toupper;
    count = test('a');
    atexit(last);
    atexit(first);
    return 0;
}
