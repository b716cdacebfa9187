// Example 3 of the standard's kind: the ranges share elements.
static void move(int n, int *restrict to, int *restrict from) {
    while (n-- > 0) *to++ = *from++; // UB: restrict-violation
}
int main(void) {
    int d[100] = {0};
    move(50, d + 1, d);
    return d[50];
}
