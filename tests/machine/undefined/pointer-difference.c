int main(void) {
    int a[4], b[4];
    long d = &a[1] - &b[0]; // UB: pointer-difference
    return d == 0;
}
