int *b;
static int f(int a) { return a + !b; }
int main(void) { int x = 0; return f(3); }
