static int f(int b) { return (-1) - b; }
int main(void) { int x = 0; return f(x) + f(x); }
