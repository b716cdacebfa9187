int g(int, char *);
int printf(const char *, ...);
int main(void) {
    printf("%d", g(1, "x"));
    return h(2);
}
