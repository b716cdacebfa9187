static int f(int n) { return n; }
int main(void) { return f(1) + f(4); }
