// Loops whose step and test become one instruction, at the ends of their types, inside one another, and left early.
#include <limits.h>
#include <stdio.h>
static unsigned long sum;
static void see(long v) { sum = sum * 31 + (unsigned long)v; }
int main(void) {
    int n = 5, low = -3;
    long far = 4, near = 1;
    unsigned un = 3;
    unsigned long many = 6;
    for (int i = 0; i < n; i++) see(i);
    for (int i = 0; i <= n; i += 2) see(i);
    for (int i = 0; i < 7; i += 3) see(i);
    for (int i = 0; i <= 6; i += 3) see(i);
    for (int i = 9; i > 2; i -= 4) see(i);
    for (int i = 9; i >= 1; i -= 4) see(i);
    for (int i = 3; i; i--) see(i);
    for (int i = 3; i != -4; --i) see(i);
    for (int i = INT_MAX - 2; i < INT_MAX; i++) see(i);
    for (int i = INT_MIN + 2; i > INT_MIN; i--) see(i);
    for (int i = low; i < low + 4; i += 1) see(i);
    for (long i = 0; i < far; i++) see(i);
    for (long i = LONG_MAX - 2; i < LONG_MAX; i++) see(i);
    for (long i = near; i <= far; i += 30000) see(i);
    for (unsigned i = 0; i < un; i++) see(i);
    for (unsigned i = UINT_MAX - 1; i; i++) see(i);
    for (unsigned i = 2; i != UINT_MAX; i--) see(i);
    for (unsigned i = 4000000000u; i < 4000000005u; i += 2) see(i);
    for (unsigned long i = 0; i < many; i++) see((long)i);
    for (unsigned long i = ULONG_MAX - 1; i; i++) see((long)i);
    for (unsigned long i = 2; i != ULONG_MAX; i--) see((long)i);
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++) {
            if (j == 3) break;
            if ((i ^ j) == 1) continue;
            see(i * 10 + j);
        }
    unsigned down = 1000, up = 7;
again:
    up += 3, down -= 1;
    if (down) goto again;
    int i = 0;
    do see(i); while (++i < 4);
    while (i-- > 1) see(i);
    while (++i != 3) see(i);
    printf("%lu %u %u %d\n", sum, up, down, i);
    return 0;
}
