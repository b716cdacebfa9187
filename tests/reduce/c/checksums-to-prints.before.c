static unsigned crc = 1;
static void mix(unsigned long long v, int w) { crc = crc * 31 + v; }
int x;
int main(void) {
    mix(x, 1);
    mix(x + 1, 2);
    return crc;
}
