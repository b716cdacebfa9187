int main(void) {
    int a[4], b[4];
    return &a[0] < &b[0]; // UB: pointer-comparison
}
