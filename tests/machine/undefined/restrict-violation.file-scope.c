static int *restrict a, *restrict b;
int main(void) {
    int x = 0;
    a = &x;
    b = &x;
    *a = 1;
    return *b; // UB: restrict-violation
}
