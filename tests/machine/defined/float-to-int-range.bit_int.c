// std: gnu2x
// target: lp64
int main(void) {
    volatile double d = 63.9;
    return (int)(_BitInt(7))d == 63 ? 0 : 1;
}
