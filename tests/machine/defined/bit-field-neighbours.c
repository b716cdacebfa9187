// Different bit-fields are different objects, also where they share a byte.
struct { int f : 4, g : 12; } b;
static int use(int x, int y) { return 10 * x + y; }
int main(void) { return !(use(b.f++, b.g++) == 0 && b.f == 1 && use(b.f--, b.g += 3) == 14); }
