// The integral parts fit, if barely.
int main(void) {
    double below = 2147483647.9, above = -2147483648.9, big = 3e9, small = -0.99;
    if ((int)below != 2147483647 || (int)above != -2147483647 - 1) return 1;
    if ((unsigned)big != 3000000000u || (unsigned)small != 0) return 2;
    if ((unsigned char)255.5 != 255 || (_Bool)0.25 != 1) return 3;
    return 0;
}
