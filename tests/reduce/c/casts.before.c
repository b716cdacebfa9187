int f(long a) {
    long *p = (long *)&a;
    return (int)(a + 1) + (char)a * +a;
}
