int main(void) {
    int minus = -1;
    return minus << 1; // UB: shift-overflow
}
