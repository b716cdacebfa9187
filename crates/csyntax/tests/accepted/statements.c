/* Statements, dangling else, labels, jumps. */
int f(int n) {
    if (n) if (n > 1) n = 1; else n = 2;
    if (n) { if (n > 1) n = 1; } else n = 2;
    if (n) for (;;) if (n) n--; else break; else n++;
    if (n) ; else if (n) { n; } else if (n) n; else { n; }
    while (n) n--;
    while (n) { n--; }
    do n++; while (n < 3);
    do { n++; } while (n < 3);
    for (;;) break;
    for (int i = 0, j = 1; i < n; i++, j--) continue;
    for (n = 0; ; ) { break; }
    for (typedef int T; ; ) { T x; break; }
    switch (n) {
        case 1: case 2: n++; break;
        case 3 ... 5: { n--; }
        default: ;
    }
    switch (n) case 1: n++;
    {
        __label__ a, b;
        int nested(int m) { auto int later(int); if (m) goto a; return m + n; int later(int k) { return k; } }
        goto b;
    a: b: nested(3);
        void *t[] = { &&a, &&b };
        goto *t[n];
    }
    goto end;
    ;
    {}
end:
    return n;
}
void g(void) { return; }
