enum { A, B = 5 };
int f(int a) {
    return (3 + 4) * a + B + sizeof(int) + -(-1);
}
