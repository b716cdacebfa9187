int main(void) {
    int x = 0, *a = &x;
    {
        int *restrict p = a;
        *p = 1;
        *a = 2; // UB: restrict-violation
    }
    return 0;
}
