// The second execution of the block alone breaks the rule.
int main(void) {
    int v[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        int *restrict p = v + i;
        *p = 1;
        v[1] += i; // UB: restrict-violation
    }
    return 0;
}
