/* 64-bit arithmetic, division, branches. */
int main(void) {
    unsigned long best = 0, at = 0;
    for (unsigned long n = 1; n < 120000; n++) {
        unsigned long x = n, steps = 0;
        while (x != 1) { x = x % 2 ? 3 * x + 1 : x / 2; steps++; }
        if (steps > best) { best = steps; at = n; }
    }
    return best > 300 && at ? 0 : 1;
}
