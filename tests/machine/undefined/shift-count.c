int main(void) {
    unsigned x = 1;
    int n = 32;
    return x << n; // UB: shift-count
}
