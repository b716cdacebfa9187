// Callbacks from qsort and bsearch, longjmp through frames, overflow builtins, atomics, strings.
#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int compares;
static int by_value(const void *a, const void *b) { compares++; int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
struct rec { char name[6]; short n; };
static int by_name(const void *a, const void *b) { return strcmp(((const struct rec *)a)->name, ((const struct rec *)b)->name); }
static jmp_buf env;
static void raise_error(int depth) { if (!depth) longjmp(env, 42); raise_error(depth - 1); }
static int guarded(int first) {
    static volatile int tries;
    tries = first;
    int r = setjmp(env);
    if (r && tries > 2) return r + tries;
    tries++;
    raise_error(tries);
    return -1;
}
static _Atomic int at = 5;
static int plain = 9;
int main(void) {
    int v[] = {5, -3, 99, 0, 7, 7, -100, INT_MAX, INT_MIN, 12}, key = 99;
    qsort(v, 10, sizeof *v, by_value);
    for (int i = 0; i < 10; i++) printf("%d ", v[i]);
    int *hit = bsearch(&key, v, 10, sizeof *v, by_value);
    printf("%d %d %d\n", hit ? (int)(hit - v) : -1, 1, guarded(0));
    printf("%d\n", compares > 0);
    struct rec r[] = {{"beta", 2}, {"alpha", 1}, {"gamma", 3}};
    qsort(r, 3, sizeof *r, by_name);
    for (int i = 0; i < 3; i++) printf("%s=%d ", r[i].name, r[i].n);
    int x;
    unsigned char uc;
    long long ll;
    printf("%d", __builtin_add_overflow(INT_MAX, 1, &x));
    printf(" %d", x);
    printf(" %d", __builtin_mul_overflow(20, 13, &uc));
    printf(" %d", uc);
    printf(" %d", __builtin_sub_overflow(-5, 6u, &ll));
    printf(" %lld\n", ll);
    at += 3, at++;
    int expected = 9;
    _Bool done = __atomic_compare_exchange_n(&plain, &expected, 20, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    int old = __sync_fetch_and_add(&key, 2);
    printf("%d %d %d %d\n", done, at + plain, old, __atomic_load_n(&key, __ATOMIC_RELAXED));
    char s[40] = "con", *p = strcat(s, "cat" "enate");
    printf("%s %d %s %s %d %d\n", p, (int)strlen(s), strchr(s, 'c') + 1, strstr(s, "ten"), strncmp("abc", "abd", 2), memcmp("a", "b", 1) < 0);
    printf("%ld %d %s|%5.2f|%-6d|%06x|%c%%\n", strtol("-0x1fz", 0, 16), atoi(" 12x"), "end", 3.14159, 42, 0xbeef, 'z');
    char *h = calloc(3, 5);
    if (!h) return 1;
    sprintf(h, "%d-%s", 12, "ab");
    h = realloc(h, 50);
    if (!h) return 1;
    printf("%s %d\n", h, h[14]);
    printf("%d\n", snprintf(h, 4, "%s", "longer"));
    free(h);
    return 0;
}
