static int f(int a, int b) { return a * b; }
static int g(void) { return 1; }
int main(void) { return f(1 + 2, 3) * f(4, g()); }
