// C11 6.5.6p8: a pointer into a member array does not reach the next member.
struct s { int a[2], b; };
int main(void) {
    struct s s = {{1, 2}, 3};
    int *p = s.a;
    return p[2] - 3; // UB: out-of-bounds
}
