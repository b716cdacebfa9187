// The jump back over its declaration ends the lifetime of the array: memory stays bounded.
int main(void) {
    int n = 0;
again:;
    int x[n % 1000 + 1];
    x[n % 1000] = 2;
    if (++n < 200000) goto again;
    return 0;
}
