/* Attributes in every position. */
__attribute__((noinline)) static __attribute__((unused)) int f1(void);
static int __attribute__((noinline)) f2(void) __attribute__((pure, nonnull (1), __format__ (printf, 1, 2)));
int *__attribute__((aligned(16))) const p1, v1 __attribute__((vector_size(16))), __attribute__((unused)) v2;
void (__attribute__((noreturn)) *fp)(int);
void (__attribute__((noreturn)) f3)(int a __attribute__((unused)), __attribute__((unused)) char *b, int __attribute__((x)) c[]);
struct __attribute__((packed)) s1 { int a __attribute__((aligned(2))), b; __attribute__((packed)) long c; } __attribute__((aligned(4))) s1;
union u1 { int a; } __attribute__((__transparent_union__));
enum __attribute__((packed)) e1 { A __attribute__((deprecated)), B __attribute__((deprecated("no"))) = 3 } __attribute__((unused));
typedef int v4 __attribute__((__vector_size__(16), may_alias));
typedef unsigned di __attribute__((mode(DI)));
extern void *alloc(unsigned long) __attribute__((__malloc__, __malloc__(__builtin_free, 1))) __attribute__(());
int g(int x) {
    __attribute__((unused)) int y = (__attribute__((vector_size(16))) int){ 1 }[0];
    int z __attribute__((cleanup(g)));
    switch (x) {
        case 1: y++; __attribute__((fallthrough));
        case 2: y--;
    }
l:  __attribute__((unused));
    return sizeof(int __attribute__((aligned(8))));
}
[[noreturn]] void h([[maybe_unused]] int a);
[[gnu::noinline, nodiscard]] int i [[gnu::pure]] (void);
struct [[gnu::packed]] s2 { [[deprecated]] int a; };
[[]];
int j(int x) { switch (x) { case 1: [[fallthrough]]; default: return x; } [[likely]]; }
