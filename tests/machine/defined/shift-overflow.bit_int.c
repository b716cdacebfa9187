// std: gnu2x
// target: lp64
int main(void) {
    volatile _BitInt(9) a = 5;
    return (int)(a << 5) == 160 ? 0 : 1;
}
