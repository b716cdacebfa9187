// 33 bits for gcc, 64 for clang.
struct s {
    unsigned long long x : 33;
};
int main(void) {
    struct s s = {-1};
    return ~s.x != 0; // UNSUPPORTED: bit-field wider than int
}
