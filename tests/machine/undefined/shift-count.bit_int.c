// std: gnu2x
// target: lp64
int main(void) {
    volatile unsigned _BitInt(9) a = 5;
    volatile int n = 9;
    return (int)(a << n); // UB: shift-count
}
