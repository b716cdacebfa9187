// C11 6.5.2.2p6: without a prototype, an unsigned argument serves an int parameter only where int has its value.
static int f(n)
    int n;
{
    return n < 0;
}
int main(void) {
    unsigned big = 3000000000u;
    return f(1u) + f(big); // UB: wrong-arguments
}
