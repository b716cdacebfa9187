int f(int a) {
    if (a) a--;
    while (a < 3) { a++; }
    { int i = 0; if (i < 3) a += i;}
    return a;
}
