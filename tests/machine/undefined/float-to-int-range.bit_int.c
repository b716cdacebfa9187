// std: gnu2x
// target: lp64
int main(void) {
    volatile double d = 64.0;
    return (int)(_BitInt(7))d; // UB: float-to-int-range
}
