int f(int a) {
two:
    if (a) goto two;
    return a;
}
