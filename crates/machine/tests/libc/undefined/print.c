// Calls of the printf family without a meaning.
// 1: format-mismatch
// 2: format-arguments
// 3: format-mismatch
// 4: format-mismatch
// 5: out-of-bounds
// 6: overlapping-copy
// 7: null-dereference
// 8: uninitialised-read
// 9: string-modified
// 10: format-mismatch
// 11: format-mismatch
// 12: format-arguments
// 13: format-mismatch
// 14: library-argument
// 15: out-of-bounds
// 16: format-mismatch
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void list(const char *format, ...)
{
    va_list l;
    va_start(l, format);
    vprintf(format, l);
    va_end(l);
}

int main(void)
{
    char b[4] = "abc", full[2] = {'a', 'b'};
    char *u = malloc(4);
    (void)u, (void)b, (void)full;
#if CASE == 1
    printf("%d\n", 1.0);
#elif CASE == 2
    printf("%d %d\n", 1);
#elif CASE == 3
    printf("%ld\n", 1);
#elif CASE == 4
    printf("%s\n", 5);
#elif CASE == 5
    sprintf(b, "%d", 12345);
#elif CASE == 6
    sprintf(b, "%s", b);
#elif CASE == 7
    printf("%s\n", (char *)0);
#elif CASE == 8
    printf("%s\n", u);
#elif CASE == 9
    sprintf("literal", "x");
#elif CASE == 10
    printf("%y\n", 1);
#elif CASE == 11
    printf("%#d\n", 1);
#elif CASE == 12
    list("%d %d\n", 1);
#elif CASE == 13
    list("%d\n", 1L);
#elif CASE == 14
    fprintf((FILE *)0, "x");
#elif CASE == 15
    printf("%s\n", full);
#elif CASE == 16
    short n;
    printf("%n", &n);
#endif
    return 0;
}
