// std: gnu2x
// target: lp64
int main(void) {
    volatile unsigned _BitInt(9) a = 5;
    volatile int n = 8;
    return (int)(a << n) == 256 ? 0 : 1;
}
