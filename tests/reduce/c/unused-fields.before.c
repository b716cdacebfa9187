struct S { int a, b; struct { int c; } d; } s = {1, 2, {3}}, t[2] = {{4, 5}, {.b = 6}};
union U { int a; long b; } u = {7};
int main(void) { return s.b + u.a; }
