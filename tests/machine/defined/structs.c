// Structures of every size passed, returned, assigned, nested, and as variable arguments.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#define S(n) struct s##n { char c[n]; }; static struct s##n f##n(struct s##n x, int k) { x.c[k % n] += k; return x; }
S(1) S(2) S(3) S(4) S(5) S(7) S(8) S(9) S(12) S(15) S(16) S(17) S(24) S(33)
struct mixed { float f; int i; double d; }; struct fl { float x, y, z; }; struct ld { long double v; char c; };
union un { int i; double d; char c[12]; };
static struct mixed mix(struct mixed m, struct fl f, struct ld l, union un u) {
    m.f += f.y, m.i += l.c, m.d += (double)l.v + u.d;
    return m;
}
static int va(int n, ...) {
    va_list ap;
    int sum = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) {
        struct s3 a = va_arg(ap, struct s3);
        struct s17 b = va_arg(ap, struct s17);
        struct fl c = va_arg(ap, struct fl);
        struct mixed m = va_arg(ap, struct mixed);
        sum += a.c[2] + b.c[16] + (int)c.z + m.i + (int)va_arg(ap, double) + va_arg(ap, int);
    }
    va_end(ap);
    return sum;
}
struct node { struct node *next; struct { int a; union { int b; char c; }; } in; int tail[3]; };
static struct node make(int k) { return (struct node){.in = {k, {.b = k + 1}}, .tail = {[1] = k}}; }
static struct s24 twice(struct s24 (*f)(struct s24, int), struct s24 x) { return f(f(x, 3), 4); }
int main(void) {
#define R(n) { struct s##n x; memset(&x, 1, n); struct s##n y = f##n(f##n(x, 5), n - 1); int t = 0; for (int i = 0; i < n; i++) t = 3 * t + y.c[i]; printf("%d ", t + x.c[0]); }
    R(1) R(2) R(3) R(4) R(5) R(7) R(8) R(9) R(12) R(15) R(16)
    struct mixed m = mix((struct mixed){1.5f, 2, 3.5}, (struct fl){1, 2, 3}, (struct ld){4.25L, 7}, (union un){.d = 0.125});
    printf("\n%g %d %g\n", m.f, m.i, m.d);
    struct s3 a = {{1, 2, 3}};
    struct s17 b = {{[16] = 9}};
    printf("%d\n", va(2, a, b, (struct fl){1, 2, 30}, m, 2.5f, 'a', f3(a, 2), b, (struct fl){4, 5, 6}, m, 1.0, (short)-1));
    struct node n = make(4), *p = &n;
    n.next = p;
    printf("%d %d %d %d\n", p->next->next->in.b, make(7).tail[1], make(9).in.a, n.tail[0]);
    struct s24 z = {{0}};
    z = twice(f24, z);
    printf("%d %d\n", z.c[3], z.c[4]);
    printf("%d\n", (z = f24(z, 5)).c[5]);
    struct node arr[2] = {n, make(1)};
    arr[0] = arr[1];
    printf("%d %d\n", arr[0].in.a, (int)(arr[1].next == 0));
    return 0;
}
