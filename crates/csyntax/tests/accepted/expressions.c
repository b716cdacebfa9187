/* Parentheses are written by precedence alone; tokens never run together. */
int a, b, c, *p; struct { int f, *g; } s, *q; int fn();
int f(void) {
    a = (b = c); a = b = c; (a = b), c; fn((a, b), c); fn(a, b);
    (a + b) + c; a + (b + c); a - (b - c); a * (b + c); (a * b) + c; -a * b; -(a * b);
    a - -b; a - --b; a + +b; a + ++b; - -a; -(-a); - --a; + +a; & *p; * & a; !~a; a & &b == &c; -(-(-a));
    a & (b == c); a & b == c; (a & b) == c; a << (b + c); (a << b) + c; a < b == c > a;
    a && b || c && a; a && (b || c); a | b ^ c & a; (a | b) & c;
    a ? b : c ? a : b; (a ? b : c) ? a : b; a ? b, c : a; a ? (b ? a : c) : b; a ?: b; (a = b) ? c : a; a = b ? c : a;
    a ? b : (c = a); (a ? b : c) = a;
    *p++; (*p)++; ++*p; *++p; -a++; (-a)++; !a++; p[a]++; (p + a)[b]; *p[a]; (*p)[a]; p[a][b]; p[a, b];
    s.f; q->f; (*q).f; &q->f; *q->g; (&s)->f; s.g[a]; (1).f; (1.).f;
    (int) a; (int) -a; (int) (a + b); -(int) a; (int) (char) a; ((int) a)++; sizeof a; sizeof (a); sizeof (int); sizeof -a;
    sizeof (int) * a; sizeof ((int) a); sizeof (int *) + 1; (sizeof a)[p]; sizeof a[0]; (sizeof a).f; _Alignof(int); __alignof__ a;
    (char)(a, b); (int) (a) + b; (a)(b); (*fn)(a); fn()(); (a ? fn : fn)();
    (int[]){ 1, 2 }[0]; ((int[]){ 1, 2 }); &(struct t { int x; }){ 3 }; sizeof (int[]){ 1 }; (int){ 1 }++;
    ({ int z = a; z + 1; }); ({ ; }) + 1; -({ a; });
    &&lab; lab: goto *&&lab; p - &&lab; a && &&lab;
    __real__ a; __imag__ a + 1; __real__ (a + 1); __extension__ a + 1; __extension__ (a + 1); ~__extension__ a;
    a += b -= c *= a /= b %= c <<= a >>= b &= c ^= a |= b;
    return a, b;
}
