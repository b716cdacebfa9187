// std: gnu2x
// target: lp64
// The low 64 bits of this count are 3, which is less than the width.
int main(void) {
    unsigned _BitInt(90) count = 3;
    count |= (unsigned _BitInt(90))1 << 80;
    unsigned _BitInt(40) bits = 1;
    bits >>= count; // UB: shift-count
    return (int)bits;
}
