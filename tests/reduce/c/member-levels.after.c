struct s { int p; int a; } y;
int x;
int main(void) { y.p = x; y.a = y.p; return y.a; }
