static int f(int a, int b, int c);
static int g(int a) { return 1; }
static int f(int a, int b, int c) { return b; }
int main(void) { return f(1, g(2), 3) + f(4, 5, 6); }
