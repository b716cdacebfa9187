static int f(int a) { a++; return a; }
int main(void) { return f(1); }
