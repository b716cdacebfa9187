int main(void) {
    int low = -0x7fffffff - 1, minus = -1;
    return low / minus; // UB: division-overflow
}
