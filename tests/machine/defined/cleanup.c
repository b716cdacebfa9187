// The cleanup attribute among the declaration specifiers; the last variable is cleaned up first, however its scope
// is left; the result of a function is computed before.
#include <stdlib.h>
static int n;
static void clean(int *p) { n = 10 * n + *p; }
static void release(char **p) {
    n = 10 * n + (*p)[0];
    free(*p);
}
static int scoped(int k) {
    __attribute__((cleanup(clean))) int outer = k;
    if (k > 2) return n;
    {
        int inner __attribute__((cleanup(clean))) = 5;
        (void)inner;
    }
    return n;
}
static int own(void) {
    int x __attribute__((cleanup(clean))) = 3;
    return ++x;
}
static int loops(void) {
    n = 0;
    for (int i = 1; i < 6; i++) {
        int a __attribute__((cleanup(clean))) = i;
        if (i == 2) continue;
        if (i == 4) break;
        int b __attribute__((cleanup(clean))) = 9;
    }
    return n;
}
static int jumps(void) {
    int k = 0;
    n = 0;
again:;
    int a __attribute__((cleanup(clean))) = k + 1;
    if (k++ == 0) goto again;
    {
        int b __attribute__((cleanup(clean))) = 7;
        goto out;
    }
out:
    return n;
}
static int switched(int k) {
    n = 0;
    switch (k) {
    case 1: {
        int a __attribute__((cleanup(clean))) = 1;
        break;
    }
    default: {
        int a __attribute__((cleanup(clean))) = 2;
    }
    }
    return n;
}
int main(void) {
    if (scoped(3) != 0 || n != 3) return 1;
    if (scoped(1) != 35 || n != 351) return 2;
    n = 0;
    if (own() != 4 || n != 4) return 3;
    if (loops() != 91293 * 10 + 4) return 5;
    if (jumps() != 17 || n != 172) return 6;
    if (switched(1) != 1 || switched(2) != 2) return 7;
    n = 0;
    int v = ({ int t __attribute__((cleanup(clean))) = 6; t + n; });
    if (v != 6 || n != 6) return 8;
    n = 0;
    {
        char *text __attribute__((cleanup(release))) = malloc(2);
        text[0] = 1;
    }
    if (n != 1) return 9;
    return 0;
}
