// A function of int is called as a function of double.
static int twice(int x) { return 2 * x; }
int main(void) {
    int (*f)(double) = (int (*)(double))twice;
    return f(1.0); // UB: wrong-function-type
}
