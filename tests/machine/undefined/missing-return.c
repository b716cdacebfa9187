static int sign(int x) {
    if (x < 0) return -1;
    if (x > 0) return 1;
} // UB: missing-return
int main(void) {
    int zero = 0;
    return sign(zero);
}
