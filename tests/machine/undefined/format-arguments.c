extern int printf(const char *, ...);
int main(void) {
    printf("%d %d\n", 1); // UB: format-arguments
    return 0;
}
