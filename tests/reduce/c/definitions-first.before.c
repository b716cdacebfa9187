static int f(int);
int main(void) { return f(1); }
static int f(int a) { return a; }
