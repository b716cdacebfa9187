static int a = 1;
static int b;
static int f(void) { return a + b; }
int main(void) { return b; }
