// Unsigned arithmetic wraps; narrow types are promoted before, and converted after, the arithmetic.
int main(void) {
    unsigned u = 0xffffffffu;
    signed char c = 127;
    short s = -32768;
    long long wide = 0x7fffffff;
    int low = -0x7fffffff - 1;
    c = c + 1;
    s = -s;
    if (u + 1 != 0 || c != -128 || s != -32768 || wide + 1 != 0x80000000) return 1;
    unsigned short a = 65535;
    if ((unsigned)a * a != 0xfffe0001u) return 2;
    return !(low + 0x7fffffff == -1);
}
