// What 6.7.3.1 allows: disjoint objects, objects only read, pointers based on the restrict pointer, inner blocks,
// results of functions, members, arrays, file-scope pointers, recursion, library functions.
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <setjmp.h>

static int add(int n, int *restrict to, const int *restrict a, const int *restrict b) {
    for (int i = 0; i < n; i++) to[i] = a[i] + b[i];
    int *based = to + 1;
    *based += 1;
    return to[1];
}
// Example 2 of the standard: the halves of one array.
static void halves(int n, int *restrict p, int *restrict q) {
    while (n-- > 0) *p++ = *q++;
}
// Example 4: inner blocks may be based on outer restrict pointers, one block after the other.
static int nested(int *restrict p1, int *restrict q1) {
    {
        int *restrict p2 = p1;
        int *restrict q2 = q1;
        p2[0] = 1;
        q2[0] = 2;
    }
    p1[0] += 1;
    for (int i = 0; i < 3; i++) {
        int *restrict p3 = p1 + i;
        *p3 = i;
    }
    return p1[0] + p1[2] + q1[0];
}
// A pointer from a block that ended may be assigned and used.
typedef struct { int n; float *restrict v; } vector;
static vector new_vector(int n) {
    vector t;
    t.n = n;
    t.v = malloc(n * sizeof(float));
    return t;
}
static float sum(vector a, vector b) {
    float s = 0;
    for (int i = 0; i < a.n; i++) {
        a.v[i] = i;
        b.v[i] = a.v[i] + 1;
        s += b.v[i];
    }
    return s;
}
static int *result(int *restrict p) {
    *p = 5;
    return p + 1;
}
static void inner(int *restrict q) { *q += 1; }
static int outer(int *restrict p) {
    *p = 1;
    inner(p);
    inner(p + 1);
    inner(p);
    return *p;
}
static int *restrict file_a, *restrict file_b;
static int files(void) {
    file_a = malloc(2 * sizeof(int));
    file_b = file_a == 0 ? 0 : malloc(sizeof(int));
    file_a[0] = 1;
    file_a[1] = 2;
    file_b[0] = file_a[0] + file_a[1];
    int r = *file_b;
    free(file_a);
    free(file_b);
    return r;
}
static int sum_array(int n, int a[restrict n], int b[restrict]) {
    for (int i = 0; i < n; i++) a[i] = b[i] * 2;
    return a[n - 1];
}
// The same object read through both, written through neither.
static int both_read(const int *restrict p, const int *restrict q) { return *p + *q; }
// Never used to access anything.
static int unused(int *restrict p, int *restrict q, int *x) {
    *x = 4;
    return p == q;
}
// Different members of one structure, different bit-fields of one byte.
struct pair { int a, b; unsigned f : 3, g : 4; };
static int members(struct pair *restrict s, int *restrict b) {
    s->a = 1;
    *b = 2;
    return s->a;
}
static int bits(struct pair *restrict s, struct pair *restrict t) {
    s->f = 1;
    t->g = 2;
    return s->f;
}
// A new object at an address used before.
static int again(int *restrict out) {
    for (int i = 0; i < 3; i++) {
        int *p = malloc(sizeof(int));
        *p = i;
        {
            int *restrict q = p;
            *q += 1;
            *out += *q;
        }
        free(p);
    }
    return *out;
}
static void sort(int *restrict v, int *restrict t, int n) {
    if (n < 2) return;
    sort(v, t, n / 2);
    sort(v + n / 2, t, n - n / 2);
    int i = 0, j = n / 2, k = 0;
    while (i < n / 2 && j < n) t[k++] = v[i] < v[j] ? v[i++] : v[j++];
    while (i < n / 2) t[k++] = v[i++];
    while (j < n) t[k++] = v[j++];
    memcpy(v, t, n * sizeof *v);
}
static int through_integer(int *restrict p, int *x) {
    int *q = (int *)(uintptr_t)p;
    *q = 3;
    *p += 1;
    (void)x;
    return *q;
}
static int through_bytes(int *restrict p) {
    int *q;
    unsigned char *to = (unsigned char *)&q;
    int *copy = p;
    for (unsigned i = 0; i < sizeof q; i++) to[i] = ((unsigned char *)&copy)[i];
    *q = 6;
    return *p;
}
static jmp_buf jump;
static int jumps(int *p) {
    volatile int n = 0;
    if (setjmp(jump) == 0) {
        int *restrict q = p;
        *q = 1;
        n = *q;
        longjmp(jump, 1);
    }
    *p = n + 1;
    return *p;
}
static int leaves(int *p) {
    for (int i = 0; i < 4; i++) {
        int *restrict q = p;
        *q = i;
        if (i == 2) break;
        if (i == 1) continue;
        if (i == 0) goto next;
    next:;
    }
    *p += 10;
    return *p;
}
static char *copy(char *restrict to, const char *restrict from) {
    char *r = to;
    while ((*to++ = *from++)) {}
    return r;
}
int main(void) {
    int v[3] = {1, 2, 3}, w[6];
    if (add(3, w, v, v) != 5) return 1;
    if (add(3, w + 3, w, v) != 8) return 2;
    int d[100] = {0};
    for (int i = 50; i < 100; i++) d[i] = i;
    halves(50, d, d + 50);
    if (d[49] != 99) return 3;
    int n[4] = {0};
    if (nested(n, n + 3) != 4) return 4;
    vector a = new_vector(4), b = new_vector(4);
    if (sum(a, b) != 10) return 5;
    a = b;
    a.v[0] = 1;
    if (b.v[0] != 1) return 6;
    int *r = result(v);
    r[-1] = 6;
    if (v[0] != 6 || *r != 2) return 7;
    if (outer(v) != 3) return 8;
    if (files() != 3) return 9;
    if (sum_array(3, w, v) != 6) return 10;
    if (both_read(v, v) != 6) return 11;
    int x = 1;
    if (unused(&x, &x, &x) != 1) return 12;
    struct pair s = {0};
    if (members(&s, &s.b) != 1) return 13;
    if (bits(&s, &s) != 1) return 14;
    int out = 0;
    if (again(&out) != 6) return 15;
    int t[10], u[10] = {5, 2, 9, 1, 7, 3, 8, 6, 4, 0};
    sort(u, t, 10);
    for (int i = 0; i < 10; i++)
        if (u[i] != i) return 16;
    if (through_integer(&x, &x) != 4) return 17;
    if (through_bytes(&x) != 6) return 18;
    if (jumps(&x) != 2) return 19;
    if (leaves(&x) != 12) return 20;
    char text[8];
    if (strcmp(copy(text, "abc"), "abc")) return 21;
    return 0;
}
