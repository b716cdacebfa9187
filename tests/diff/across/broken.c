/* One machine's code is another source's: no function is proved (crates/crossver/tests/across.rs). */
#ifndef __x86_64__
#define NEW 1
#else
#define NEW 0
#endif
#ifdef __riscv
#define SAVED "li s2, 5"
#define SAVED_NUMBER "fmv.d.x fs1, zero"
#else
#define SAVED "mov x19, #5"
#define SAVED_NUMBER "fmov d9, #1.0"
#endif

int constant(int a) { return a + 1 + NEW; }
int swapped(int a, int b) { return NEW ? b - a : a - b; }
int condition(int a, int b) { return NEW ? a < b : a <= b; }
int sign(unsigned char c) { return NEW ? (signed char)c : c; }
long width(int a) { return NEW ? (long)(unsigned)a : (long)a; }
int by_vector(int a, double x, int b) { return (int)x + (NEW ? a : b); }
double vectors(double x, double y) { return NEW ? y - x : x - y; }
void forgotten(int *p) { if (!NEW) *p = 1; }
void more(char *p) { p[0] = 1; if (NEW) p[1] = 1; }
#if NEW
unsigned result(unsigned a) { return a >> 1; }
#else
unsigned result(unsigned a) { return (int)a >> 1; }
#endif

extern int outer(int, const char *), other(int, const char *);
int callee(int x) { return NEW ? other(x, "a") : outer(x, "a"); }
int string(int x) { return outer(x, NEW ? "a" : "b"); }
int argument(int x) { return outer(NEW ? x : x + 1, "a"); }
int twice(int x) { return outer(x, "a") + (NEW ? outer(x, "a") : 1); }
int global;
int order(int x) { if (!NEW) global = x; x = outer(x, "a"); if (NEW) global = x; return x; }

extern long eight(long, int, long, int, long, int, long, int);
long seventh(long a, int b) { return eight(1, b, a, 2, 3, 4, a + 1 + NEW, b - 1); }
long eighth(long a, int b) { return eight(1, b, a, 2, 3, 4, a + 1, b - 1 - NEW); }
long exchanged(long a, long b) { return eight(1, 2, 3, 4, 5, 6, NEW ? a : b, NEW ? b : a); }

extern int any();
int unknown(int a, int b) { return any(a, NEW ? b : a); }
extern int many(const char *, ...);
int unnamed(int a, int b) { return many("ab", a, NEW ? b : a); }
int unnamed_number(double a, double b) { return many("ab", NEW ? b : a); }

int through(int (*f)(int, long), long b) { return f(3 + NEW, b) + 1; }

static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6 + NEW};
int entry(unsigned n) { return table[n & 7]; }
static long counter[4], others[4];
long *shown = others;
long count(unsigned n) { return NEW ? ++others[n & 3] : ++counter[n & 3]; }

extern void fill(int *);
int filled(void) { int x = 4 + NEW; fill(&x); return x; }

/* Registers that callers rely on. */
long kept(long a) {
#if NEW
  __asm__ volatile(SAVED);
#endif
  return a + 1;
}
long kept_vector(long a) {
#if NEW
  __asm__ volatile(SAVED_NUMBER);
#endif
  return a + 2;
}

/* A machine that never ends, and one that does. */
int endless(unsigned n) { if (NEW) while (n) __asm__ volatile(""); return 0; }

/* A body in the place of its call, and another one. */
#if NEW
__attribute__((noinline))
#endif
static int inner(int x, int *p) { *p += x; return x ^ 3 + NEW; }
int inlines(int x, int *p) { return inner(x, p) * 2; }

/* What a compiler made of a function, which gives something else, and is passed something else. */
struct two { long a; int b; };
extern int seen(long, int);
__attribute__((noinline)) static int without(struct two *p, int none) { return seen(p->a, p->b + NEW) + 1; }
int without_one(struct two *p) { return without(p + NEW, 5); }
int without_other(struct two *p) { return without(p - NEW, 7); }
