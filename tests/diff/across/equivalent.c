/* The same source for two machines: each function is proved (crates/crossver/tests/across.rs). */
int none(void) { return 7; }
int sum(int a, int b) { return a + b * 3; }
long least(long a, long b) { return a < b ? a : b; }
short narrow(short a, signed char b) { return a * b; }
unsigned char byte(unsigned a) { return a >> 3; }
unsigned long high(unsigned long a, unsigned long b) { return (unsigned __int128)a * b >> 64; }
unsigned rotate(unsigned a, unsigned n) { return a << (n & 31) | a >> (-n & 31); }
double line(double x, double y) { return x * y + 1.5; }
float both(int n, float x) { return n ? x : -x; }
void nothing(int *p) { *p += 1; }

#ifndef FILLED
/* A loop over memory. */
unsigned total(const unsigned char *p, unsigned n) {
  unsigned s = 0;
  while (n--) s += *p++;
  return s;
}

/* A list. */
struct node { int value; char tag; long weight; struct node *next; };
int length(struct node *p) {
  int n = 0;
  for (; p; p = p->next) n += p->tag == 3;
  return n;
}
#endif

/* Callees: registers kept across them, a string, memory. */
extern int outer(int, const char *);
int global;
int called(int x) {
  global = x;
  return outer(x + 1, "text") + global + x;
}

/* A tail call. */
int last(int x) { return outer(x ^ 5, "last"); }

/* Eight arguments: the last two are in registers of one machine and on the stack of the other. */
extern long eight(long, int, long, int, long, int, long, int);
long passes(long a, int b) { return eight(1, b, a, 2, 3, 4, a + 1, b - 1) + 1; }

/* Numbers between integers. */
extern double mixed(int, double, int, double);
double mixes(int n, double x) { return mixed(n + 1, x, n, x + x); }

/* A type of functions that debug information has. */
int through(int (*f)(int, long), long b) { return f(3, b) + 1; }

#ifndef FILLED
/* Constants without a name that both files know. */
static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
int entry(unsigned n) { return table[n & 7]; }
#endif

/* An object without such a name. */
static long counter[4];
long count(unsigned n) { return ++counter[n & 3]; }

/* An object of the frame whose address goes out. */
extern void fill(int *);
int filled(void) {
  int x = 4;
  fill(&x);
  return x;
}

/* A body that one of both puts in the place of its call. */
#ifndef __x86_64__
__attribute__((noinline))
#endif
static int inner(int x, int *p) { *p += x; return x ^ 3; }
int inlines(int x, int *p) { return inner(x, p) * 2; }

#ifndef FILLED
/* What a compiler made of a function: no debug information says how that is called. */
struct two { long a; int b; };
extern int seen(long, int);
__attribute__((noinline)) static int without(struct two *p, int none) { return seen(p->a, p->b) + 1; }
int without_one(struct two *p) { return without(p, 5); }
int without_other(struct two *p) { return without(p, 7); }
#endif
