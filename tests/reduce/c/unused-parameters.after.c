static int f(int b);
static int g(void) { return 1; }
static int f(int b) { return b; }
int main(void) { return f(g()) + f(5); }
