// Designators, nesting, brace elision, overriding, strings, compound literals, anonymous members.
#include <stdio.h>
struct in { int a, b[3]; char s[5]; };
struct out { struct in x, y[2]; union { int u; float f; }; struct { short p, q; }; const char *name; };
static struct out st = {.y[1].b[2] = 9, .x = {1, {2, [2] = 4}, "abcd"}, .q = 3, .name = "st", .y[0] = {.s = {'h', 'i'}}, .u = 12};
static int grid[][3] = {1, 2, 3, 4, [3] = {7, 8}, {[2] = 6}};
static int *ptrs[] = {&grid[1][2], (int *)grid + 4, &st.x.b[2]}, (*rows)[3] = grid + 1;
static struct in lit = {5, {6}, {"xyz"}}, *plit = &(struct in){.b = {1, 2, 3}};
static int sum(struct in s) { int t = s.a; for (int i = 0; i < 3; i++) t += s.b[i]; for (int i = 0; i < 5; i++) t += s.s[i]; return t; }
int main(void) {
    printf("%d %d %d %d %s %d %s\n", sum(st.x), sum(st.y[0]), sum(st.y[1]), st.u, st.name, st.q, st.x.s);
    for (unsigned i = 0; i < sizeof grid / sizeof *grid; i++) printf("%d %d %d,", grid[i][0], grid[i][1], grid[i][2]);
    printf("%d %d %d %d %d\n", *ptrs[0], *ptrs[1], *ptrs[2], rows[2][1], sum(*plit) + sum(lit));
    int k = 3;
    struct out loc = {.x = {.a = 4, .b = {6}}, .x.a = k, .y = {{k + 1}, {k, {k}}}, .f = 1.5f, .p = k};
    printf("%d %d %d %d %g %d %d\n", loc.x.a, loc.x.b[0], loc.y[0].a, loc.y[1].b[0], loc.f, loc.p, loc.name == 0);
    for (int i = 0; i < 3; i++) {
        struct in *p = &(struct in){i, {[1] = i * i}};
        p->b[2] += p->b[1];
        printf("%d ", sum(*p) + sum((struct in){.s = "q", .a = p->b[2]}));
    }
    int n[2][2][2] = {{{1}, {2, 3}}, {4, 5, 6}}, s = 0, *q = &n[0][0][0];
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) s = s * 7 + n[i][j][0] * 3 + n[i][j][1];
    printf("%d %d\n", s, *q);
    return 0;
}
