// Disjoint objects; objects only read; pointers based on the restrict pointer.
static int add(int n, int *restrict to, const int *restrict a, const int *restrict b) {
    for (int i = 0; i < n; i++) to[i] = a[i] + b[i];
    int *based = to + 1;
    *based += 1;
    return to[1];
}
int main(void) {
    int v[3] = {1, 2, 3}, w[6];
    if (add(3, w, v, v) != 5) return 1;
    if (add(3, w + 3, w, v) != 8) return 2;
    return 0;
}
