int main(void) {
    int big = 0x7fffffff;
    int more = big + 1; // UB: signed-overflow
    return more < 0;
}
