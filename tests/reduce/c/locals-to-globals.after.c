int b;
int f(int a) {
    b = a + 1;
    int c[2] = {1, 2};
    for (int i = 0; i < 2; i++) b += c[i];
    return b;
}
