int f(int a) {
    while (a) a--;
    do { a++; } while (a < 3);
    for (int i = 0; i < 3; i++) a += i;
    return a;
}
