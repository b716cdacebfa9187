int printf(const char *, ...);
static unsigned crc = 1;

int x;
int main(void) {
    printf("%d\n", (int)(x));
    printf("%d\n", (int)(x + 1));
    return crc;
}
