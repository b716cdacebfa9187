//// tentative definitions and composite arrays
int a[]; int a[3]; extern int a[]; int b; int b; static int c; static int c = 1; extern int c;
int use(void) { return sizeof(a) == 12; }
//// unsized tentative array gets one element
int z[];
//// old-style definition after prototype
int f(int, char *); int f(a, b) int a; char *b; { return a + *b; }
//// old-style default int parameter
f(a, b) { return a + b; }
//// implicit declaration of a builtin and of a function
int main(void) { printf("%d\n", foo(1)); abort(); }
//// implicit function then void definition
int g(void) { h(); return 0; } void h(void) {}
//// own incompatible declaration of a library function
void *memcpy(void *d, const void *s, unsigned long n); double printf2(void); int strlen; int *p = &strlen;
//// extern in block sees file scope
int x = 3; int f(void) { int x = 4; { extern int x; return x; } }
//// block function declarations
int f(void) { int g(int); extern int h(); return g(1) + h(2, 3); }
//// tags in inner scopes
struct s { int a; }; int f(void) { struct s; struct s { char c[7]; } v; return sizeof v + sizeof(struct s); }
//// incomplete struct pointer
struct undefined; struct undefined *p; struct other *q; int f(struct undefined *a) { return a == p; }
//// enumerators with computed values
enum e { A = 1 << 3, B, C = B * 2, D = sizeof(int), E = (char)300 }; _Static_assert(B == 9 && C == 18 && E == 44, "");
//// case labels and ranges
int f(int x) { switch (x) { case 1 ... 5: return 1; case 'a': return 2; case 6 + 1: default: return 3; } }
//// empty case range
int f(int x) { switch (x) { case 5 ... 1: return 1; } return 0; }
//// statement expression
int f(int x) { return ({ int y = x; y++; y; }) + ({ ; 1; }); }
//// statement expression without a value
void f(void) { ({ int i; for (i = 0; i < 3; i++); }); ({ (void)0; }); }
//// typeof and auto type
int f(int x) { __typeof__(x) y = x; __auto_type z = &y; typeof(int *) w = z; return *w; }
//// generic selection
int f(int x) { return _Generic(x, int: 1, double: 2, default: 3) + _Generic((char)1, char: 1, int: 0); }
//// generic on decayed and qualified values
int f(const int x, int a[]) { return _Generic(x, int: 1) + _Generic("s", char *: 2) + _Generic(f, int (*)(const int, int *): 3); }
//// computed goto
int f(int i) { static void *t[] = { &&a, &&b }; goto *t[i]; a: return 1; b: return 2; }
//// local labels
int f(void) { __label__ out; ({ __label__ out; goto out; out: 0; }); goto out; out: return 1; }
//// nested function
int f(int x) { int g(int y) { return x + y; } return g(2); }
//// nested function with nonlocal goto
int f(int x) { __label__ l; void g(void) { goto l; } g(); return 0; l: return 1; }
//// forward declared nested function
int f(int x) { auto int g(int); int r = g(1); int g(int y) { return x + y; } return r; }
//// variable arrays
int f(int n, int m, int a[n][m]) { int b[n + 1]; int (*p)[m] = a; return sizeof b + sizeof(int[n][m]) + p[1][2] + sizeof *p; }
//// variable array parameter with star
int f(int n, int a[*][*]); int f(int n, int a[n][n + 1]) { return a[0][0]; }
//// variable typedef
int f(int n) { typedef int row[n]; row a, *p = &a; n++; return sizeof(row) + sizeof(*p); }
//// compound literals
struct s { int a, b; }; int *p = (int[]){ 1, 2, 3 }; struct s g = (struct s){ 1, 2 };
int f(void) { return ((struct s){ .b = 2 }).b + (int[2]){ 1, 2 }[1]; }
//// designators, ranges, elision
struct s { int a; struct { int b, c; }; int d[4]; } v[] = { [1].b = 2, 3, [2] = { 1, 2, 3, { [1 ... 2] = 7 } }, 4, 5, 6, 7 };
_Static_assert(sizeof v == 4 * sizeof(struct s), "");
//// designator into anonymous union
struct s { union { int a; char b; }; int c; } v = { .b = 1, .c = 2 }; struct s w = { { 1 }, 2 };
//// obsolete designators
struct s { int a, b; } v = { b: 2, a: 1 }; int arr[3] = { [1] 5 };
//// flexible array member with initialiser
struct s { int n; char text[]; } v = { 3, "abc" }; struct t { int n; int a[]; } w = { 1, { 2, 3, 4 } };
//// strings for arrays
char a[] = "abc", b[3] = "abc", c[] = { "xyz" }, d[2][4] = { "ab", "cd" }; unsigned char e[] = "u"; int w[] = L"wide";
//// too many initialisers only warn
int a[2] = { 1, 2, 3 }; int b = { 1, 2 }; char c[2] = "abc";
//// scalar in braces
int a = { 1 }; int *p = { &a };
//// struct initialised from a value among others
struct p { int x, y; }; struct q { struct p a, b; }; int f(struct p v) { struct q w = { v, 1, 2 }; return w.b.y; }
//// static addresses
int x; int *p = &x + 1; char *q = "abc" + 1; long l = (long)&x; int (*fp)(void); int f(void) { return 0; } int (*g)(void) = f, (*h)(void) = &f;
struct s { int a, b[3]; } v; int *r = &v.b[2]; long d = &v.b[2] - &v.b[0]; int *t = &(&v)->a;
//// const objects in static initialisers
static const int k = 3; int v = k; static const double d = 1.5; double e = d * 2;
//// old offsetof as constant
struct s { char c; int a[4]; }; int a[(unsigned long)&((struct s *)0)->a[1]]; _Static_assert((unsigned long)&((struct s *)0)->a == 4, "");
//// builtin offsetof
struct s { char c; struct { int x[3]; } y; }; int a[__builtin_offsetof(struct s, y.x[2])]; int f(int i) { return __builtin_offsetof(struct s, y.x[i]); }
//// pointer conversions that only warn
int *p; char *q; void f(void) { p = q; p = 1; int i = p; q = p; const int *c = p; p = c; i = p == q; i = p == 3; void *v = p; p = v; }
//// integer to pointer argument only warns
void g(int *); void f(void) { g(3); g((void *)0); g(0); }
//// missing return value only warns
int f(void) { return; } void g(void) { return 1; } void h(void) { return g(); }
//// conditional types
void f(int c, int *p, const char *q, void *v) { c ? p : 0; c ? p : v; c ? q : (char *)0; c ? (void)0 : (void)1; c ?: 3; p ?: 0; c ? p : 5; c ? p : q; c ? f(c, p, q, v) : 1; }
//// comma, sizeof, alignof
int f(int x) { return (x, 1) + sizeof(x) + sizeof(int[3]) + _Alignof(double) + __alignof__(x) + sizeof(void) + sizeof f; }
//// void pointer arithmetic
long f(void *p, void *q) { p++; p += 2; return p - q + (q < p); }
//// function pointer arithmetic and dereference
int g(int); int f(int (*p)(int)) { return (***p)(1) + (*g)(2) + (&g)(3); }
//// transparent union
typedef union { int *i; float *f; } u __attribute__((transparent_union)); void g(u); void f(int *p, float *q) { g(p); g(q); g(0); }
//// cast to union
union u { int i; double d; }; union u f(int x) { return (union u)x; }
//// vectors
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));
v4 f(v4 a, v4 b, int i) { a[1] = b[i]; return (a + b * 2) << 1 | (a < b) ^ -b & ~a; } f4 g(f4 a) { return a * 2.0f; } v4 h(f4 a) { return (v4)a; }
//// vector shuffles and conversion
typedef int v4 __attribute__((vector_size(16))); typedef float f4 __attribute__((vector_size(16)));
v4 f(v4 a, v4 b) { v4 c = { 1, 2 }; c = __builtin_shuffle(a, b, c); f4 d = __builtin_convertvector(a, f4); return __builtin_shufflevector(a, b, 0, 5, 1, 6); }
//// complex
_Complex double f(_Complex double z, double d) { __real__ z = 1; __imag__ z += d; return ~z * d + 2i + __real__ z; } int g(_Complex float z) { return z == 1 && z; }
//// bit-fields
struct s { unsigned a : 3; int b : 31; unsigned long long c : 40; _Bool d : 1; int : 0; unsigned e : 32; }; int f(struct s *p) { return p->a++ + (p->b -= 2) + (p->c << 2) + p->d; }
//// overflow builtins
int f(int a, long b) { int r; return __builtin_add_overflow(a, b, &r) + __builtin_mul_overflow_p(a, b, (short)0) + __builtin_sadd_overflow(a, a, &r); }
//// atomics
int f(int *p, long *q) { return __atomic_load_n(p, 0) + __sync_fetch_and_add(q, 1) + __atomic_fetch_or(p, 3, 5) + __sync_bool_compare_and_swap(p, 1, 2); }
//// floating classification
int f(double d, float g) { return __builtin_isnan(d) + __builtin_isinf_sign(g) + __builtin_isless(d, g) + __builtin_fpclassify(0, 1, 2, 3, 4, d) + __builtin_signbit(d); }
//// varargs
int f(int n, ...) { __builtin_va_list a, b; __builtin_va_start(a, n); __builtin_va_copy(b, a); int x = __builtin_va_arg(a, int) + *__builtin_va_arg(b, int *); __builtin_va_end(a); return x; }
//// passing va_list on
int v(const char *, __builtin_va_list); int f(const char *s, ...) { __builtin_va_list a; __builtin_va_start(a, s); int r = v(s, a); struct { __builtin_va_list l; } w; __builtin_va_copy(w.l, a); return r + v(s, w.l); }
int g(__builtin_va_list *p) { return __builtin_va_arg(*p, int); }
//// builtin constants
int a[__builtin_constant_p(3) + 1]; int b[__builtin_strlen("four")]; int c[__builtin_popcount(7)]; enum { E = __builtin_bswap32(1) >> 24, F = __builtin_clz(1), G = __builtin_choose_expr(1, 2, 3), H = __builtin_types_compatible_p(int, int) }; double inf = __builtin_inf();
//// expect and unreachable
int f(int x) { if (__builtin_expect(x == 1, 0)) __builtin_unreachable(); __builtin_trap(); }
//// attributes
int f(int) __attribute__((noreturn, noinline)); struct __attribute__((packed)) s { char c; int i; }; _Static_assert(sizeof(struct s) == 5, ""); int x __attribute__((aligned(32))); _Static_assert(__alignof__(x) == 32, ""); typedef unsigned int u8 __attribute__((mode(QI))); _Static_assert(sizeof(u8) == 1, "");
typedef int under __attribute__((aligned(1))); struct t { char c; under i; }; _Static_assert(sizeof(struct t) == 5, "");
//// alignas
_Alignas(16) char c; _Alignas(double) char d; struct s { _Alignas(8) char x; char y; }; _Static_assert(sizeof(struct s) == 8 && _Alignof(struct s) == 8, "");
//// inline asm
int f(int x) { int y; asm("mov %1, %0" : "=r"(y) : "r"(x)); asm volatile("" : "+m"(y) : : "memory"); asm(""); return y; }
//// zero-length and empty
struct e {}; struct z { int n; int a[0]; }; _Static_assert(sizeof(struct e) == 0 && sizeof(struct z) == 4, ""); struct e ee = {};
//// function names
const char *f(void) { static const char *s = __func__; return sizeof __func__ == 2 ? s : __FUNCTION__; }
//// objects of type void at file scope
extern void edge; void *f(void) { return &edge; }
//// int128
__int128 f(unsigned __int128 a, int b) { return a * b >> 64; } _Static_assert(((__int128)1 << 100) >> 98 == 4, "");
//// label before declaration and end
void f(int x) { goto l; l:; int y = x; if (y) goto m; m:; }
//// declarations in for and shadowing
int f(int i) { for (int i = 0, j = 1; i < j; i++) { int i = 3; i++; } return i; }
//// redeclared typedef
typedef int t; typedef int t; t x; int f(void) { t t = 3; return t; }
//// function returning function pointer and array of them
int (*f(int))(char); int (*a[2])(int); int (*f(int x))(char) { return 0; }
//// array parameter qualifiers
int f(int n, int a[const restrict static 2], int (*b)[3]) { return a[1] + b[0][2]; }
//// volatile and const through members
struct s { int x; int a[2]; }; int f(const struct s *p, volatile struct s *q) { const int *c = &p->x; const int *d = p->a; return *c + *d + q->x; }
//// assignment between compatible structs of different declarations of a scope
struct s { int x; } a, b; void f(void) { a = b; struct s c = a; *&a = c; }
//// boolean conversions
_Bool f(int *p, double d) { _Bool b = p; b = d; b++; b |= 2; return b + 3; }
//// shifts keep the left type
_Static_assert(sizeof(1 << 1LL) == 4 && sizeof(1LL << 1) == 8, "");
//// unsigned wraps and comparison
_Static_assert(-1 < 1 && -1 > 1u && (unsigned char)-1 == 255, ""); _Static_assert((1 ? -1 : 1u) > 0, "");
//// float constants
_Static_assert((int)1.9 == 1 && (int)(0.1f * 10) == 1 && 1e3 == 1000, "");
//// extern inline gnu
extern inline __attribute__((gnu_inline)) int f(int x) { return x; } int f(int x) { return x + 1; }
//// static forward
static int f(int); int g(void) { return f(1); } static int f(int x) { return x; } extern int f(int);
//// enum and int compatible
enum e { A }; void f(enum e); void f(unsigned); extern enum e x; extern unsigned x;
//// qualifier-only pointer differences
int f(char **p, const char *const *q) { return p == (char **)q; }
//// duplicate member name space
struct a { int x; }; struct b { int x; }; union x { int x; }; enum y { x }; int f(struct a *a, struct b *b) { x: return a->x + b->x; }
//// wide enumerators
enum e { BIG = 0x123456789ULL, SMALL = 1 }; _Static_assert(sizeof(enum e) == 8 && sizeof(SMALL) == 4, "");
//// switch on long and char
int f(long l, char c) { switch (l) { case 1L << 40: return 1; } switch (c) { case 'x': return 2; } return 0; }
//// array of unknown bound in block
int f(void) { int a[] = { 1, 2, 3 }; static char s[] = "x"; extern int e[]; return sizeof a + sizeof s + e[0]; }
//// alias and constructor
int t(void) { return 1; } int a(void) __attribute__((alias("t"))); void __attribute__((constructor)) c(void) {}
//// label as last in statement expression
int f(int x) { return ({ if (x) goto l; x = 2; l: x; }); }
//// pragma pack
#pragma pack(push, 1)
struct s { char c; int i; };
#pragma pack(pop)
_Static_assert(sizeof(struct s) == 5, "");
//// attribute on members
struct s { char c; int i __attribute__((packed)); short s __attribute__((aligned(8))); }; _Static_assert(sizeof(struct s) == 16, "");
//// conditional with struct values
struct s { int a; } x, y; int f(int c) { return (c ? x : y).a; }
//// member of a call's result
struct s { int a[3]; int b; } g(void); int f(void) { return g().b + g().a[1]; }
//// sizeof of unevaluated variable expression
int f(int n) { int a[n]; return sizeof(a[n++]) + n; }
//// unprototyped call with promoted arguments
int g(); int f(char c, float d) { return g(c, d); } int g(int c, double d) { return c + d; }
//// static assert in struct
struct s { int a; _Static_assert(sizeof(int) == 4, "int"); };
//// string subscripts
int f(void) { return "abc"[1] + 1["abc"] + *"x" + sizeof("abc"); } char c = "abc"[1];
//// array compare and null
int a[3]; int f(int *p) { return a == p && !a && p != 0 && (void *)0 == p; }
//// typedef used as member and label name
typedef int t; struct s { t t; }; int f(struct s *s) { t: return s->t; }
//// const void result and discarded qualifiers
const int f(void) { return 1; } volatile int g(void); int h(void) { return f() + g(); }
//// alignment of an object whose type is completed later
typedef struct foo foo; extern foo bar; struct foo { int a; }; int t[__alignof__(bar) >= __alignof__(int) ? 1 : -1];
//// definition without return type after a void prototype
static void f(int); f(int x) { }
//// undeclared library function called with too few arguments
int main(void) { fputs(""); return memcmp("a", "b", 1); }
//// string for a nested flexible array
struct f { int n; char t[]; }; struct o { int a; struct f i; }; struct o v = { 1, { 2, "abc" } };
//// cast of a compound literal of variable type
void f(void) { unsigned n = 10; typedef double T[n]; (double (*)[n])((unsigned char (*)[sizeof (T)]){ 0 }); }
//// intrinsics of a processor
typedef long long v2 __attribute__((vector_size(16))); v2 f(v2 a) { __builtin_ia32_emms(); return (v2)a; }
//// values for members without members
struct e {}; struct e v[] = { [1] = 2, 3 }; struct z { int a[0]; int b; } z[] = { 1, 2 };
//// words of C23 as types, functions and labels of C17
typedef long alignof; typedef int bool; int f(void) { typedef char constexpr; constexpr c = 1; return sizeof(alignof) + c; } bool g(bool *p) { bool *q = p; true: return *q; goto true; }
//// words of C23 as objects, functions and members
int static_assert(int); int thread_local, nullptr; enum { false, true }; struct s { int bool, alignas; }; int f(struct s *s) { return static_assert(true) + nullptr * thread_local + s->bool - s->alignas; }
