// One of two elements has a value.
typedef double pair __attribute__((vector_size(16)));
int main(void) {
    pair a, b = {1, 2};
    a[0] = 1;
    b = b * b;
    b = a + b; // UB: uninitialised-read
    return b[0] != 2;
}
