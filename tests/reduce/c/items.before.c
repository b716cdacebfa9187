struct S { int a; };
int x;
_Static_assert(1, "yes");
int main(void) { return 0; }
