int printf(const char *, ...);
static int f(int a) { return a; }
static void g(void) { f(1); }
int main(void) {
    int x = f(2) + 1;
    g();
    if (x) g();
    int (*p)(int) = f;
    return x;
}
