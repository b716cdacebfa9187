// C11 6.5.6p8: a row of a variable-length array is an array of its own.
static int get(int n, int m, int a[n][m], int i) {
    return a[0][i]; // UB: out-of-bounds
}
int main(void) {
    int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
    return get(2, 3, a, 2) - 3 + get(2, 3, a, 3);
}
