int f(int a) {
    if (a) { a = 1; } else a = 2;
    for (int i = 0; i < 3; i++) { a += 1; a += 2; }
    while (a > 3) a--;
    do a++; while (a < 3);
    if (a) while (a) a--;
    return a;
}
