// target: lp64
// The low 64 bits of this count are 0.
int main(void) {
    volatile __int128 count = (__int128)1 << 64;
    int one = 1;
    return one << count; // UB: shift-count
}
