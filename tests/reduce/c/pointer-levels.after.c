struct S { int f; } s;
int x;
int *p = &x, y;
struct S q = s;
int *r = p;
int main(void) { p = &y; return q.f + *r + p[1]; }
