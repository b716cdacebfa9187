int main(void) {
    int zero = 0;
    return 7 % zero; // UB: division-by-zero
}
