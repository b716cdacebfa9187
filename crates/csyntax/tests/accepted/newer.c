/* Harmless parts of C23 that gcc and clang take in gnu17 mode. */
int f(int n) {
    int e[2] = {};
    switch (n) { case 1: int a = 1; return a; case 2: }
l:  int b = 0;
    { goto m; m: }
    return 0b11 + b;
}
void g(...);
