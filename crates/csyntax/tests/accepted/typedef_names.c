/* Whether a name is a type depends on scope; so does how the text is read. */
typedef int T, U;
T a; T *b; int f1(T); int f2(T T, int x[sizeof T]); int f3(int T, U U);
int g(void) {
    T * x;
    (T) * x; (T) (x); sizeof (T); T(y);
    { int T = 1, x = 2; T * x; (T) * x; sizeof (T) * x; { typedef char T; T z; } T = 3; }
    T w; { T T; T; } T v;
    for (int T = 0; T < 3; T++) T; T u;
    if (sizeof (enum { T })) T; T t;
    { enum { T, U = T }; T + U; }
    T: goto T; T s;
    U: ; { struct U { U U; } U; struct T T; T = U; }
    unsigned U2, T2; const U r; unsigned V; static T q;
    return (T) { 3 } + sizeof (T[2]);
}
int (h)(T x, T y) { return x + y; }
void i(int T) { T = 1; } T j;
int k(T x, int (*T)(T));
T T_; extern T (l); T (m);
