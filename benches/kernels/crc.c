/* Table-driven CRC over a buffer through a pointer. */
static unsigned table[256];
static unsigned char data[65536];
static unsigned crc(const unsigned char *p, unsigned long n) {
    unsigned c = 0xffffffffu;
    while (n--) c = table[(c ^ *p++) & 0xff] ^ (c >> 8);
    return c ^ 0xffffffffu;
}
int main(void) {
    for (unsigned i = 0; i < 256; i++) {
        unsigned c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    for (unsigned i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * 7 + 3);
    unsigned x = 0;
    for (int round = 0; round < 120; round++) x ^= crc(data, sizeof data) + (unsigned)round;
    return x == 1 ? 1 : 0;
}
