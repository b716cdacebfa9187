// The width is that of the promoted left operand, whatever the right one's type.
int main(void) {
    unsigned x = 1;
    unsigned char c = 255;
    long long l = 1;
    return !(x << 31 == 0x80000000u && c << 8 == 0xff00 && (c >> 8) == 0 && l << 40 == 0x10000000000 && x << 3LL == 8);
}
