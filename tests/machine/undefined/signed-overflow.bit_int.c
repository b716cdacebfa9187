// std: gnu2x
// target: lp64
int main(void) {
    volatile _BitInt(7) a = 63;
    _BitInt(7) b = a + 1wb; // UB: signed-overflow
    return (int)b;
}
