static int f(int a) { int *b = 0; return a + !b; }
int main(void) { int x = 0; return f(3); }
