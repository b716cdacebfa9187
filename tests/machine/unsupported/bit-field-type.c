// gcc says 40 bits, clang unsigned long long.
struct s {
    unsigned long long x : 40;
};
int main(void) {
    struct s s = {0xffffffffff};
    __typeof__(s.x + 1) y = s.x; // UNSUPPORTED: bit-field wider than int
    y += 1;
    return y == 0;
}
