static void f(int a) { if (a) { 1; return; } { a; return; } }
static void *g(void) { { 0; return; } }
static int h(void) { return 2; }
int main(void) { f(1); g(); return h(); }
