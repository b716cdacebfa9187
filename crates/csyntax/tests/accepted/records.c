/* Records, bit-fields, anonymous members, enums. */
struct s { int a : 3, : 2, b : 1 + 1; unsigned : 0; const struct t *n, **m; struct { int c, d[2]; }; union { int e; float f; } u; int flex[]; };
struct s; union v; struct s x, *y; enum e { A, B = 2, C, }; enum e z; enum { D } anon; enum fwd;
struct { } empty; struct empty2 { ; } e2;
struct w { struct w *next; int (*fn)(struct w *, enum e), (*arr)[3]; _Static_assert(1, "in"); _Alignas(8) char c; __extension__ long long l; int last };
typedef struct { int x; } *P, Q;
struct n { struct { struct { int deep; } a; } b; };
enum big { E1 = 1, E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12, E13, E14, E15, E16, E17, E18, E19, E20, E21, E22, E23, E24 };
