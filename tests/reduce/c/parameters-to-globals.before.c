static int f(int a, int *b) { return a + !b; }
int main(void) { int x = 0; return f(3, &x); }
