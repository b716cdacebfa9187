int x;
static void set(int a) { x = a; x++; }
static int twice(int b) { int c = b; return c * 2; }
static int early(int d) { if (d) return 1; return 2; }
int main(void) {
    set(3);
    return twice(x + 1) + early(2);
}
