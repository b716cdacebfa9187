int f(int a) {
    a++;
    if (a) return 1;
    return a;
}
