struct s { int m; };
int f(int *p, struct s *q, char a[3]);
int x;
struct s y;
int f(int *p, struct s *q, char a[3]) { *p = q->m; return p[0] + a[1]; }
int main(void) { char b[3] = { 0 }; return f(&x, &y, b); }
