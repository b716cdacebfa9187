int f(int a) {
    a = 2;
    (a = 1);
    (a = -1);
    return a + (a = 3);
}
