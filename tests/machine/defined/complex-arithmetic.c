// target: lp64
// Products and quotients of complex values with infinities, NaNs, zeros and values near the limits, bit for bit.
#include <stdio.h>
#include <math.h>
#define N 16
#define TEST(T, E, FMT, BIG, SMALL) static void t_##E(void) { \
 volatile T v[N] = {0, -0.0, 1, -1, 3.7L, -2.3L, INFINITY, -INFINITY, NAN, BIG, -BIG, SMALL, SMALL*3, 1e-10L, 1e10L, 0.1L}; \
 for (int i=0;i<N;i++) for (int j=0;j<N;j++) for (int k=0;k<N;k++) for (int l=0;l<N;l+=1+(k&1)) { \
  _Complex T a, b, r; __real__ a=v[i]; __imag__ a=v[j]; __real__ b=v[k]; __imag__ b = v[l]; \
  r = a*b; p##E(__real__ r); p##E(__imag__ r); \
  r = a/b; p##E(__real__ r); p##E(__imag__ r); \
  if (l==0) { T s = v[k]; r = a*s; p##E(__real__ r); p##E(__imag__ r); r = s*a;p##E(__real__ r); p##E(__imag__ r); r = s/a;p##E(__real__ r); p##E(__imag__ r); r = a/s;p##E(__real__ r); p##E(__imag__ r); \
   r = a+s;p##E(__real__ r); p##E(__imag__ r); r = s-a;p##E(__real__ r); p##E(__imag__ r); r = a - s;p##E(__real__ r); p##E(__imag__ r); r = 2*a;p##E(__real__ r); p##E(__imag__ r);} \
  } printf(FMT " %llx\n", (T)1, h); }
static unsigned long long h; static int c;
static void mixin(const char *s) { for (; *s; s++) h = (h ^ (unsigned char)*s) * 0x100000001b3ull; 
}
static void pf(float x) { char b[64]; if (x != x) mixin("nan"); else { sprintf(b, "%a", x); mixin(b);} }
static void pd(double x) { char b[64]; if (x != x) mixin("nan"); else { sprintf(b, "%a", x); mixin(b);} }
static void pl(long double x) { char b[64]; if (x != x) mixin("nan"); else { sprintf(b, "%La", x); mixin(b);} }
TEST(float, f, "%f", 3e38f, 1e-40f)
TEST(double, d, "%f", 1.7e308, 1e-310)
TEST(long double, l, "%Lf", 1e4932L, 1e-4940L)
int main(void) { t_f(); t_d(); t_l(); return 0; }
