int f(int a) {
    { a = 3; }
    return a;
}
