// What functions return may be read in place, and written where it was copied to.
struct s { int a[3]; };
static struct s make(int n) { return (struct s){{n, n + 1, n + 2}}; }
static int first(const int *p) { return p[0]; }
int main(void) {
    struct s copy = make(4);
    copy.a[0] = 9;
    return make(1).a[2] != 3 || first(make(5).a) != 5 || copy.a[0] + copy.a[1] != 14;
}
