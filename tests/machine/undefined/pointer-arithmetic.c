// The pointer is made, never dereferenced: already that is undefined.
int main(void) {
    int a[4], n = 5;
    int *p = a + n; // UB: pointer-arithmetic
    return p == a;
}
