// -1 becomes 33 bits of one for gcc, 64 for clang.
struct s {
    unsigned long long x : 33;
};
int main(void) {
    struct s s = {-1};
    int minus = -1;
    if (s.x == minus) // UNSUPPORTED: bit-field wider than int
        return 1;
    return 0;
}
