// target: lp64
struct s {
    __int128 x : 66; // UNSUPPORTED: a bit-field wider than 64 bits
};
int main(void) {
    return sizeof(struct s) == 16;
}
