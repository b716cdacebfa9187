enum E { A, B };
struct S;
enum E e = B;
int f(enum E x, struct S *p) { return x; }
