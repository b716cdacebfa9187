// std: gnu2x
// target: lp64
int main(void) {
    volatile _BitInt(100) a = (_BitInt(100))1 << 98, b = -1;
    a = -a;
    return (int)(a % b);
}
