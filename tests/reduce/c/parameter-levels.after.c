struct s { int m; };
int f(int p, struct s q, char a);
int x;
struct s y;
int f(int p, struct s q, char a) { p = q.m; return p + a; }
int main(void) { char b[3] = { 0 }; return f(x, y, *b); }
