extern int printf(const char *, ...);
int main(void) {
    long l = 5;
    printf("%d\n", l); // UB: format-mismatch
    return 0;
}
