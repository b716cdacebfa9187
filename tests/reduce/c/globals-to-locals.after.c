
static int b;
static int f(void) { int a = 1; return a + b; }
int main(void) { return b; }
