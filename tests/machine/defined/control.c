// Duff's device, jumps into and out of blocks, fallthrough, nested loops, comma and conditional chains.
#include <stdio.h>
static void duff(char *to, const char *from, int n) {
    int turns = (n + 7) / 8;
    switch (n % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--turns > 0);
    }
}
static int sw(long long x) {
    int r = 0;
    switch (x) {
    default: r += 1000;
    case -1: r += 1; break;
    case 5: case 6: r += 10;
        { case 7: r += 100; }
        if (x == 6) { default_like: r += 7; break; }
    case 0x100000000LL: r += 5; goto default_like;
    }
    return r;
}
static int chars(unsigned char c) { switch (c) { case 'a' + 0: return 1; case 200: return 2; } return 3; }
static int into(int n) {
    int s = 0;
    if (n > 3) goto inside;
    for (int i = 0; i < n; i++) {
        s += i;
        if (0) { inside: s += 100; return s; }
        for (;;) { if (i & 1) break; else { s += 2; goto next; } }
        s *= 2;
    next: continue;
    }
    return s;
}
static int fall(int n) { int k = 0; do { if (n == 2) continue; k += n; } while (n-- > 0); while (k > 100) k -= 7; return k; }
int main(void) {
    char a[30] = "abcdefghijklmnopqrstuvwxyz", b[30] = {0};
    for (int n = 1; n < 20; n += 3) duff(b, a, n), b[n] = 0, printf("%s ", b);
    printf("\n%d %d %d %d %d %d\n", sw(5), sw(6), sw(7), sw(-1), sw(0x100000000LL), sw(0));
    printf("%d %d %d %d %d %d %d\n", chars('a'), chars(200), chars(1), into(2), into(3), into(4), fall(30));
    int x = 3, y = (x++, x * 2), z = x == 4 ? y == 8 ? 1 : 2 : 3, w = 0 ?: z, v = x++ ?: -1;
    printf("%d %d %d %d %d %d\n", y, z, w, v, 4, !x || (x -= 5, x) && y);
    return 0;
}
