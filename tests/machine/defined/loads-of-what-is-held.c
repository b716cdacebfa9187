/* Loads of objects whose value is known from an access before, and what comes between. */
#include <stdio.h>
#include <string.h>

struct two { int a, b; };
union word { unsigned u; struct { unsigned short lo, hi; } h; unsigned char c[4]; };

static unsigned g[4] = { 1, 2, 3, 4 };

static void touch(unsigned *p) { *p += 100; }

static unsigned through(unsigned *p)
{
    unsigned x[4] = { 1, 2, 3, 4 };
    unsigned *q = p ? p : &x[1];
    unsigned a = x[1] + x[2];
    *q = 9;
    a = a * 10 + x[1];
    x[3] = a ^ x[1];
    return x[3] + x[1] * (x[3] & 15);
}

static unsigned bytes(void)
{
    unsigned x[2] = { 0x01020304, 5 };
    unsigned a = x[0];
    ((unsigned char *)x)[1] = 0xff;
    a ^= x[0];
    memset(x, 1, 2);
    return a + x[0] + x[1];
}

static unsigned parts(void)
{
    union word w;
    w.u = 0x11223344;
    unsigned a = w.u + w.h.lo;
    w.h.hi = 7;
    a += w.u;
    w.c[0] = 1;
    return a + w.u + w.h.hi;
}

static unsigned calls(void)
{
    unsigned x[2] = { 1, 2 };
    unsigned a = x[0] + x[1];
    touch(&x[1]);
    a += x[0] + x[1];
    g[1] ^= x[1];
    a += g[1] + g[0];
    touch(&g[1]);
    return a + g[1] + g[0];
}

static unsigned jumps(int n)
{
    unsigned x[3] = { 5, 6, 7 };
    unsigned a = x[0];
again:
    a = a * 3 + x[0] + x[2];
    x[0] += x[1];
    x[2] ^= x[0];
    if (--n > 0) goto again;
    switch (n & 1) {
    case 0: a += x[0]; /* falls through */
    default: a += x[0] + x[2];
    }
    return a;
}

static unsigned short steps(void)
{
    static unsigned short m = 0x1ff;
    int n = (m & 15) + 1;
    unsigned a = m;
    do {
        m = (unsigned short)(m * 5 & ~n);
        a += m;
    } while (--n != 0);
    return (unsigned short)(a + m);
}

static int narrow(void)
{
    signed char c[2];
    short s[2];
    int i = 0x12345678;
    c[0] = (signed char)(i >> 4);
    c[1] = (signed char)(c[0] * 3);
    s[0] = (short)((i & 0xfff) * c[1]);
    s[1] = s[0];
    int before = s[1];
    return (c[0] << 8) + c[1] * 7 + s[0] + (s[1] = (short)i) + before;
}

static struct two swap(struct two t)
{
    t.a ^= t.b;
    t.b ^= t.a;
    t.a ^= t.b;
    return t;
}

int main(void)
{
    struct two t = swap((struct two){ 3, 4 });
    printf("%u %u %u %u\n", through(0), through(g), bytes(), parts());
    printf("%u %u %u %d %d %d\n", calls(), jumps(1), jumps(5), narrow(), t.a, t.b);
    printf("%d\n", steps());
    return 0;
}
