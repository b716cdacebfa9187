int main(void) {
    int a[4] = {1, 2, 3, 4}, i = 4;
    return a[i]; // UB: out-of-bounds
}
