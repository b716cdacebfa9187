static int both(int *restrict p, int *restrict q) {
    *p = 1;
    *q = 2; // UB: restrict-violation
    return *p;
}
int main(void) {
    int x = 0;
    return both(&x, &x) == 0;
}
