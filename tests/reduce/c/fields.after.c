struct S { int a; } s = {1};
int main(void) { return 0 + s.a; }
