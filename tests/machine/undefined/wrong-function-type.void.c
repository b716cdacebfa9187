// C11 6.5.2.2p9: without a declaration the function is taken to return int, which it does not.
int main(void) {
    srand(1); // UB: wrong-function-type
    return 0;
}
