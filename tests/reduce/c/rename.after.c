int printf(const char *, ...);
struct S { int a, b; };
typedef struct S T;
static int f(T *c) { return c->a; }
int d;
int main(void) {
    T e = {.a = 1};
    goto L;
L:
    printf("%d\n", f(&e) + d);
    return 0;
}
