enum E { A, B };
int;
int e = B;
int f(int x, int *p) { return x; }
