// C11 6.2.4p6: each time its declaration is reached the value of an object without initialiser becomes indeterminate.
int main(void) {
    int n = 0;
again:;
    int x, *p = &x;
    if (n) return *p; // UB: uninitialised-read
    x = 1;
    n++;
    goto again;
}
