// Left shifts within the type; right shifts of negative values are arithmetic with every compiler here.
int main(void) {
    int one = 1, minus = -8;
    unsigned u = 0xdeadbeef;
    return !(one << 30 == 0x40000000 && minus >> 1 == -4 && u << 4 == 0xeadbeef0u && (long long)one << 62 > 0);
}
