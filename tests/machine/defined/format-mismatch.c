extern int printf(const char *, ...);
int main(void) {
    long l = 5;
    short s = -3;
    unsigned char c = 200;
    printf("%ld %hd %hhu %d %u %x\n", l, s, c, 'a', 5u, 255u);
    printf("[%5.1f] [%-8s] [%c] [%%] [%lld] [%e]\n", 2.25, "text", 'z', -1ll, 12345.678);
    printf("%*d|%.*s|%+i|%#o|%08.3f\n", 6, 42, 2, "abcdef", 7, 8u, 3.14159);
    return 0;
}
