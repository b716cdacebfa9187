// Library calls without a meaning.
// 1: overlapping-copy
// 2: out-of-bounds
// 3: null-dereference
// 4: uninitialised-read
// 5: library-argument
// 6: builtin-argument
// 7: signed-overflow
// 8: library-argument
// 9: out-of-bounds
// 10: string-modified
// 11: const-modified
// 12: wrong-function-type
// 13: library-argument
// 14: library-argument
// 15: format-mismatch
// 16: out-of-bounds
// 17: overlapping-copy
// 18: wrong-arguments
// 19: invalid-free
// 20: division-by-zero
// 21: dangling-pointer
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((unused)) static int wrong(int *a, int *b) { return *a - *b; }
#if CASE == 18
int towupper();
#endif

int main(void)
{
    char a[8] = "abcdefg", full[2] = {'x', 'y'}, *u = malloc(4);
    const char k[4] = "abc";
    volatile int zero = 0, least = -2147483647 - 1, big = 300;
    int n[2] = {2, 1};
    (void)a, (void)full, (void)u, (void)k, (void)zero, (void)least, (void)big, (void)n;
#if CASE == 1
    memcpy(a + 1, a, 4);
#elif CASE == 2
    strcpy(a, "12345678");
#elif CASE == 3
    memcpy(a, (char *)(long)zero, 0);
#elif CASE == 4
    strlen(u);
#elif CASE == 5
    return (toupper)(big);
#elif CASE == 6
    return __builtin_clz(zero);
#elif CASE == 7
    return abs(least);
#elif CASE == 8
    return atoi("99999999999");
#elif CASE == 9
    return strlen(full) > 0;
#elif CASE == 10
    strcpy("abc", "x");
#elif CASE == 11
    memset((char *)k, 0, 4);
#elif CASE == 12
    qsort(n, 2, sizeof *n, (int (*)(const void *, const void *))wrong);
#elif CASE == 13
    strtol("1", 0, 99);
#elif CASE == 14
    strtok(0, ",");
#elif CASE == 15
    sscanf("1", "%d", (long *)u);
#elif CASE == 16
    sscanf("toolong", "%s", u);
#elif CASE == 17
    char o[16] = "abc";
    strcat(o + 1, o);
#elif CASE == 18
    return towupper(1.5);
#elif CASE == 19
    free(u + 1);
#elif CASE == 20
    return div(1, zero).quot;
#elif CASE == 21
    free(u);
    memset(u, 0, 1);
#endif
    return 0;
}
