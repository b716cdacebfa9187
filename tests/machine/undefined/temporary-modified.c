// C11 6.2.4p8: modifying an object with temporary lifetime.
struct s { int a[2]; };
static struct s make(int n) { return (struct s){{n, n + 1}}; }
int main(void) {
    make(1).a[0] = 3; // UB: temporary-modified
    return 0;
}
