// C11 6.5.2.2p6: the definition has no prototype, and the promoted argument is no double.
static int above(x) double x; { return x > 1; }
int main(void) {
    return above(3); // UB: wrong-arguments
}
