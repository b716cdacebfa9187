int f(int a) {
one:
two:
    if (a) goto two;
    return a;
}
