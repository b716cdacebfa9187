int printf(const char *, ...);
int x, y, a[2];
int main(void) {
    x = y;
    printf("sum = %x\n", y);
    return 0;
}
