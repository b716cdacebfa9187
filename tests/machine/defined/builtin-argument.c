int main(void) {
    unsigned one = 1, low = 40;
    return !(__builtin_clz(one) == 31 && __builtin_ctz(low) == 3 && __builtin_ffs(0) == 0 && __builtin_popcount(0) == 0 &&
             __builtin_clzll(1ull << 63) == 0 && __builtin_ctzl(0x10000) == 16 && __builtin_parity(7) == 1);
}
