int f(int a) {
    if ((a + 1) == (1)) { a = 2; } else if ((a + 1) == (3)) { a = 5; } else { a = 4; }
    return a;
}
