int f(int a) {
    while (a) {
        break;
        a = 1;
    }
    if (a) goto l;
    return a;
    a = 2;
    a = 3;
l:
    return a;
    a = 4;
}
