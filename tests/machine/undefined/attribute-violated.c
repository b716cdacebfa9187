static int half(int x) {
    __builtin_assume(x >= 0); // UB: attribute-violated
    return x / 2;
}
int main(void) { return half(-2); }
