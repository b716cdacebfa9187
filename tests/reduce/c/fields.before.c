struct S { int a, b; } s = {1, 2};
int main(void) { return s.b + s.a; }
