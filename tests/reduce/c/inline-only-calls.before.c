int x;
static void set(int a) { x = a; x++; }
static int twice(int b) { int c = b; return c * 2; }
static int shared(int e) { return e; }
static int early(int d) { if (d) return 1; return 2; }
static unsigned char narrow(unsigned char f) { return f; }
int main(void) {
    set(3);
    if (x)
        x = twice(x + 1) + shared(early(2));
    return shared(narrow(300)) * 2;
}
