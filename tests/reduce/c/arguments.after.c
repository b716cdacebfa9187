int g(int);
int printf(const char *, ...);
int main(void) {
    printf("%d");
    return h();
}
