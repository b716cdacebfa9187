__attribute__((nonnull)) static int get(int *p) { return p ? *p : 0; }
int main(void) {
    int *none = 0;
    return get(none); // UB: attribute-violated
}
