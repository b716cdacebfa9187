/* string.h and strings.h, and memory through them. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

struct pair { char tag; int *to; long n; };

/* Comparisons promise a sign alone: glibc gives other numbers where an operand crosses a page. */
static int sign(int n) { return n < 0 ? -1 : n > 0; }
static long at(const char *base, const char *p) { return p ? p - base : -1; }

int main(void)
{
    char a[32] = "hello, world", b[32], *save;
    int x = 5;
    struct pair p = {'p', &x, 7}, q, *heap = malloc(2 * sizeof *heap);
    memcpy(&q, &p, sizeof p);
    memmove(heap + 1, &q, sizeof q);
    printf("%c %d %ld\n", heap[1].tag, *heap[1].to, heap[1].n);
    memset(heap, 0, sizeof *heap);
    printf("%d %d\n", heap->to == NULL, heap->n == 0);
    free(heap);
    printf("%zu %zu %zu\n", strlen(a), strnlen(a, 5), strnlen(a, 50));
    printf("%s\n", strcpy(b, a)); printf("%s\n", strncpy(b, "abc", 10));
    printf("%d\n", stpcpy(b, "xy") == b + 2); printf("%s\n", strcat(strcat(b, "-"), "end"));
    printf("%s\n", strncat(b, "123456", 3));
    printf("%d %d %d\n", sign(strcmp("a", "c")), sign(strcmp("abc", "ab")), strcmp("x", "x"));
    printf("%d %d %d\n", strncmp("abcd", "abce", 3), strcasecmp("HeLLo", "hEllO"), sign(strncasecmp("AB1", "ab2", 3)));
    printf("%d %d\n", sign(memcmp("ab\0c", "ab\0d", 4)), sign(bcmp("x", "x", 1)));
    printf("%ld %ld %ld %ld\n", at(a, strchr(a, 'o')), at(a, strrchr(a, 'o')), at(a, strchr(a, 'z')),
           at(a, strchr(a, 0)));
    printf("%ld %ld %ld\n", at(a, strstr(a, "wor")), at(a, strstr(a, "")), at(a, strstr(a, "worm")));
    printf("%ld %ld\n", at(a, strcasestr(a, "WOR")), at(a, strchrnul(a, 'q')));
    printf("%zu %zu %ld\n", strspn(a, "helo"), strcspn(a, " ,"), at(a, strpbrk(a, "xyzw")));
    printf("%ld %ld %ld\n", at(a, memchr(a, 'w', 12)), at(a, memrchr(a, 'l', 12)), at(a, memmem(a, 12, "o,", 2)));
    for (char *t = strtok(a, ", "); t; t = strtok(NULL, ", "))
        printf("<%s>", t);
    strcpy(b, "a::b:c");
    for (char *t = strtok_r(b, ":", &save); t; t = strtok_r(NULL, ":", &save))
        printf("[%s]", t);
    strcpy(b, "a::b");
    for (char *s = b, *t; (t = strsep(&s, ":"));)
        printf("{%s}", t);
    puts("");
    char *d = strdup("copy"), *e = strndup("copying", 3);
    printf("%s %s\n", d, e);
    free(d);
    free(e);
    printf("%s|%s|%s\n", strerror(0), strerror(ENOENT), strerror(ERANGE));
    printf("%s\n", strerror(12345));
    char m[8];
    printf("%d\n", (char *)mempcpy(m, "abc", 4) == m + 4); puts(m);
    printf("%d\n", memccpy(m, "pqr", 'q', 3) == m + 2);
    bzero(m, sizeof m);
    printf("%d\n", m[3]); printf("%zu\n", strxfrm(m, "four", sizeof m));
    wchar_t w[16];
    wcscpy(w, L"wide");
    wcscat(w, L"r");
    printf("%zu %d %d %ld\n", wcslen(w), sign(wcscmp(w, L"wider")), sign(wcscmp(w, L"a")), (long)(wcschr(w, L'd') - w));
    printf("%ls %zu\n", w, wcstombs(m, w, sizeof m)); puts(m);
    return 0;
}
