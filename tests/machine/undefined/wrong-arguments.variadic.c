static int first(int n, ...) { return n; }
int main(void) {
    return ((int (*)())first)(0); // UB: wrong-arguments
}
