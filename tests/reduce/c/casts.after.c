int f(long a) {
    long *p = &a;
    return (a + 1) + a * a;
}
