// C11 6.2.4p2 with J.2: so is handing it to a function, which need not look at it.
static int ignore(const void *p) {
    (void)sizeof p;
    return 0;
}
int main(void) {
    int *p;
    {
        int inner = 1;
        p = &inner;
    }
    return ignore(p); // UB: dangling-pointer
}
