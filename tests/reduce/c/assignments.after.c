int f(int a) {
    a = 2;
    a++;
    return a + (a = 3);
}
