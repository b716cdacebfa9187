// Copies and steps stay based on the pointer; the array itself is not.
static int v[4];
static int f(int *restrict p) {
    int *q = p + 1, *r = &q[1];
    int **pp = &r;
    **pp = 7;
    return v[2]; // UB: restrict-violation
}
int main(void) { return f(v); }
