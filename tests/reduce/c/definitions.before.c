static int f(int a) { return a; }
int main(void) { return f(1); }
