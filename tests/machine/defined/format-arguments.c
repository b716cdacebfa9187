// More arguments than the format asks for are evaluated and ignored.
extern int printf(const char *, ...);
int main(void) {
    int n = 1;
    printf("%d\n", n, n + 1, "ignored");
    return n != 1;
}
