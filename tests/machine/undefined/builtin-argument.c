int main(void) {
    unsigned zero = 0;
    return __builtin_clz(zero); // UB: builtin-argument
}
