struct s { int *p; int a[2]; } y;
int x;
int main(void) { y.p = &x; y.a[1] = *y.p; return y.a[0]; }
