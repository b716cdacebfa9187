// Both shifts of a rotation read the same word.
static unsigned f(unsigned *p) {
    return p[1] << 7 | p[1] >> (32 - 7); // UB: uninitialised-read
}
int main(void) {
    unsigned a[2];
    a[0] = 1;
    return f(a) != 0;
}
