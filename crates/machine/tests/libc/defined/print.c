/* The printf family through every destination. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static int through(char *to, size_t n, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int made = vsnprintf(to, n, format, list);
    va_end(list);
    return made;
}

static void twice(const char *format, ...)
{
    va_list a, b;
    va_start(a, format);
    va_copy(b, a);
    vprintf(format, a);
    vfprintf(stdout, format, b);
    va_end(a);
    va_end(b);
}

int main(void)
{
    char buffer[64];
    int n = 0, m = 0;
    short s = 0;
    signed char c = 0;
    long l = 0;
    printf("%d %i %u %o %x %X %c %s %%\n", -1, 2, 3u, 8, 255, 255u, 'c', "text");
    printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%-8.3d|]\n", 42, 42, 42, 42, 42, 42, 42, 42);
    printf("[%*d] [%-*d] [%.*d] [%*d] [%.*d]\n", 6, 1, 6, 2, 4, 3, -6, 4, -1, 5);
    printf("[%#x] [%#o] [%#X] [%#x] [%#o] [%.0d] [%#.0o]\n", 255, 8, 255, 0, 0, 0, 0);
    printf("%hhd %hhu %hd %hu\n", 300, 300, 70000, 70000);
    printf("%ld %lu %lld %llu %jd %zu %td\n", -1L, 1UL, -2LL, 2ULL, (intmax_t)-3, sizeof n, (ptrdiff_t)4);
    printf("%n%d%hn%hhn%ln\n", &n, 12345, &s, &c, &l);
    printf("%d %d %d %ld\n", n, s, c, l);
    printf("[%10s] [%-10s] [%.2s] [%10.2s] [%.0s] [%c%c]\n", "abc", "abc", "abc", "abc", "abc", 'x', 0x41);
    char raw[3] = {'r', 'a', 'w'};
    printf("%.3s\n", raw);
    printf("%p [%8p]\n", (void *)0, (void *)0);
    printf("%ls [%6ls] %lc\n", L"wide", L"w", L'x');
    n = sprintf(buffer, "%s-%d", "key", 7);
    printf("%d %s\n", n, buffer);
    n = snprintf(buffer, 5, "%s", "truncated");
    printf("%d %s\n", n, buffer);
    n = snprintf(0, 0, "%d items and %1000d", 3, 4);
    printf("%d\n", n);
    n = through(buffer, sizeof buffer, "%d/%s/%g", 1, "two", 3.0);
    printf("%d %s\n", n, buffer);
    twice("%d %s %Lg\n", 5, "five", 5.5L);
    n = snprintf(0, 0, "%*d%*d", 2147483647, 1, 10, 2);
    printf("%d %d\n", n, errno == EOVERFLOW);
    puts("line");
    putchar('p');
    putc('q', stdout);
    fputc('\n', stdout);
    fputs("fputs\n", stdout);
    printf("%zu\n", fwrite("abcdef", 2, 3, stdout));
    errno = ENOENT;
    printf("%m\n");
    char *made = 0;
    m = asprintf(&made, "%d-%d", 1, 2);
    printf("%d %s\n", m, made);
    free(made);
    fflush(stdout);
    fprintf(stderr, "unseen\n");
    return 0;
}
