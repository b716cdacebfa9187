// std: gnu2x
// target: lp64
int main(void) {
    volatile _BitInt(7) a = 62;
    _BitInt(7) b = a + 1wb;
    return b == 63 ? 0 : 1;
}
