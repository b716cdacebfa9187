static int f(int a) { if (a) return 1; return a; }
static int *g(void) { return 0; }
static int h(void) { return 2; }
int main(void) { f(1); g(); return h(); }
