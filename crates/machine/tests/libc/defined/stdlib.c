/* stdlib.h, ctype.h, math.h, stdio input, signals. */
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { int key; char name[4]; const char *text; };

static int calls;
static int order(const void *a, const void *b)
{
    calls++;
    return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
static void bye(void) { puts("bye"); }
static void again(void) { puts("again"); }
static void caught(int n) { printf("caught %d\n", n); }

static void numbers(const char *text, int base)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, base);
    printf("%ld %ld %d ", n, (long)(end - text), errno);
    errno = 0;
    unsigned long u = strtoul(text, &end, base);
    printf("%lu %ld %d\n", u, (long)(end - text), errno);
}

static void floats(const char *text)
{
    char *end;
    errno = 0;
    double d = strtod(text, &end);
    printf("%a %ld %d ", d, (long)(end - text), errno);
    printf("%a ", strtof(text, &end));
    printf("%La %ld\n", strtold(text, &end), (long)(end - text));
}

int main(void)
{
    struct item items[9];
    for (int i = 0; i < 9; i++) {
        items[i].key = i * 5 % 7;
        snprintf(items[i].name, 4, "n%d", i);
        items[i].text = i % 2 ? "odd" : "even";
    }
    qsort(items, 9, sizeof *items, order);
    for (int i = 0; i < 9; i++)
        printf("%d%s%s ", items[i].key, items[i].name, items[i].text);
    printf("%d\n", calls);
    struct item key = {3, "", 0}, *hit = bsearch(&key, items, 9, sizeof *items, order);
    printf("%ld %d\n", hit ? (long)(hit - items) : -1L, calls);
    static const char *const texts[] = {"42", "  -17x", "0x1fz", "0777", "zz", "", "-", "0x", "99999999999999999999",
                                        "-99999999999999999999", "+5", "18446744073709551615", "-1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        numbers(texts[i], 10);
        numbers(texts[i], 0);
        numbers(texts[i], 36);
    }
    static const char *const reals[] = {"1.5", "  -2e3x", "0x1.8p3", "0x.8", "0x", "inf", "-Infinity!", "nan", "1e400",
                                        "1e-400", ".5", "5.", "1e", "1e+", "3.14159265358979323846264338327950288",
                                        "4.9e-324", "0.1", "1.7976931348623157e308", "x", "1e5000", "0x1p-1074"};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        floats(reals[i]);
    printf("%d %ld %lld %g\n", atoi("12abc"), atol("-9"), atoll("77"), atof("2.5e1"));
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    srand(1234);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    unsigned seed = 7;
    printf("%d ", rand_r(&seed)); printf("%d\n", rand_r(&seed));
    div_t d = div(-7, 2);
    ldiv_t l = ldiv(100000000007L, 10);
    printf("%d %d %ld %ld %d %ld\n", d.quot, d.rem, l.quot, l.rem, abs(-3), labs(-4L));
    for (int c = -1; c < 256; c++)
        printf("%x%x%x%x%x%x%x%x%x%x%x%x%d%d", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c),
               !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c),
               (toupper)(c), (tolower)(c));
    puts("");
    volatile double v = 2.0, w = -7.25;
    int e;
    double whole;
    printf("%a %a %a %a\n", sqrt(v), fabs(w), floor(w), ceil(w));
    printf("%a %a %a %ld\n", trunc(w), rint(2.5), round(-2.5), lround(w));
    printf("%a %a %a %a\n", fmod(w, v), copysign(v, w), fmin(v, w), fmax(v, w));
    printf("%a", frexp(w, &e));
    printf(" %d %a", e, modf(w, &whole));
    printf(" %a %a %d\n", whole, ldexp(v, 10), ilogb(w));
    printf("%a %a %a %a\n", sin(v), exp(v), pow(v, w), log(v));
    printf("%a %a %a\n", sinf(2.0f), sqrtf(2.0f), powf(2.0f, 0.5f));
    printf("%a %a %a\n", tgamma(v), erf(v), hypot(3, 4));
    errno = 0;
    printf("%f ", fabs(sqrt(w)));
    printf("%d\n", errno);
    long double f = 7.3L, g = -2.1L;
    printf("%La %La %La %La\n", sqrtl(f), fmodl(f, g), floorl(g), fabsl(g));
    printf("%La %La %ld\n", roundl(f), ldexpl(f, -3), lroundl(f));
    for (long double s = 1e-4940L; s < 1e4900L; s *= 1e317L)
        printf("%La ", sqrtl(s));
    puts("");
    printf("%d %d %d %d\n", isnan(v), isinf(INFINITY) != 0, signbit(w) != 0, fpclassify(v) == FP_NORMAL);
    char line[16], word[8], set[8];
    int n = 0, h = 0;
    float fl = 0;
    double db = 0;
    long double ld = 0;
    unsigned char uc = 0;
    printf("%d\n", sscanf(" 12 0x1f abc [x-y] 2.5 1e3 9.75", "%d %i %7s [%[x-]%*c] %f %lf %Lf%n", &e, &h, word, set,
                          &fl, &db, &ld, &n));
    printf("%d %d %s %s %g %g %Lg %d\n", e, h, word, set, fl, db, ld, n);
    printf("%d %d %d\n", sscanf("", "%d", &e), sscanf("x", "%d", &e), sscanf("5%6", "%hhu%%%d", &uc, &e));
    printf("%d %d\n", uc, e);
    printf("%s", fgets(line, sizeof line, stdin));
    printf("%d ", getchar());
    ungetc('7', stdin);
    printf("%d ", scanf("%d %2s", &e, word));
    printf("%d %s %d\n", e, word, getchar());
    while ((e = getchar()) != EOF)
        putchar(e);
    printf("%d\n", feof(stdin) != 0);
    printf("%s %d\n", setlocale(LC_ALL, ""), getenv("HOME") == NULL);
    signal(SIGUSR1, caught);
    raise(SIGUSR1);
    printf("%d %d %d %d\n", __builtin_clz(n), __builtin_ctz(8 * n), __builtin_popcount(n), ffs(n));
    atexit(bye);
    atexit(again);
    assert(n);
    exit(3);
}
