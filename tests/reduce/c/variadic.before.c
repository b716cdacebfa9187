static int f(int n, ...) { return n; }
int main(void) { return f(1, 2, 3) + f(4); }
