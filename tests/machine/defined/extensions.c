// GNU C that both compilers read: statement expressions, computed goto, ranges, typeof, ?:, zero arrays, attributes.
#include <stdio.h>
#include <string.h>
static int interpret(const unsigned char *code) {
    static const void *const table[] = {&&inc, &&dbl, &&dec, &&halt};
    int acc = 0;
    goto *table[*code++];
inc: acc++; goto *table[*code++];
dbl: acc *= 2; goto *table[*code++];
dec: acc--; goto *table[*code++];
halt: return acc;
}
#define MAX(a, b) ({ __typeof__(a) x_ = (a); __typeof__(b) y_ = (b); x_ > y_ ? x_ : y_; })
static int range(int c) { switch (c) { case 'a' ... 'z': return 1; case '0' ... '9': return 2; case -5 ... -1: return 3; } return 0; }
struct flex { int n; int v[]; };
static struct flex fixed = {3, {1, 2, 3}};
static inline __attribute__((always_inline)) int sq(int x) { return x * x; }
static int counter(void) { static int n = 5; return n++; }
int main(void) {
    unsigned char code[] = {0, 0, 1, 1, 2, 0, 1, 3};
    int i = 3, j = 9, arr[] = {[2] = 5, [0] = 1, [4 ... 6] = 7, 8};
    printf("%d %d\n", interpret(code), MAX(i++, j--));
    printf("%d\n", i * 100 + j);
    printf("%d%d%d%d %d\n", range('q'), range('7'), range(-3), range(0), (int)(sizeof arr / sizeof *arr));
    for (int k = 0; k < 8; k++) printf("%d,", arr[k]);
    printf("%d %d\n", fixed.v[2], (int)sizeof(struct flex));
    int n = counter() ?: 7, *p = ({ int *t = &arr[2]; t + 1; });
    printf("%d %d %d\n", n, (int)(p - arr), ({ int s = 0; for (int k = 0; k < 4; k++) s += sq(k); s; }));
    char *buf = __builtin_alloca(10 + n);
    strcpy(buf, "alloca");
    printf("%s %d %d %d\n", buf, __builtin_constant_p(3), __builtin_choose_expr(1, 4, "x"), __builtin_types_compatible_p(int, long));
    int (*fp)(int) = i > 100 ? 0 : range, (*fs[2])(int) = {range, fp};
    printf("%d %d %s %d\n", (*fp)('a'), (**fs[1])('0'), __func__, (int)__alignof__(char));
    for (int k = 0; k < 3; k++) { int *lit = (int[]){k, k * k, 1}; lit[2] += lit[1]; printf("%d ", lit[2]); }
    typeof(int[3]) triple = {1, 2};
    printf("%d %d\n", triple[1] + triple[2], _Generic(1.0f, float: 1, double: 2, default: 3) + _Generic(triple, int *: 10, default: 20));
    return 0;
}
