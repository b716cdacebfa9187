static int f(int a, int b) { return a - b; }
int main(void) { int x = 0; return f(-1, x) + f(2, x); }
