static int f(int a, int b) { return a * b; }
static int g(void) { return 1; }
int main(void) { return ((1 + 2) * 3) * (4 * g()); }
