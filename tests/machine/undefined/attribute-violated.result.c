__attribute__((returns_nonnull)) static int *find(int *p, int n) {
    return n ? p : 0; // UB: attribute-violated
}
int main(void) {
    int x = 0;
    return find(&x, 0) != 0;
}
