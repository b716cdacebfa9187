// std: gnu2x
// target: lp64
// Bit-fields whose type has more than 64 bits: negative values are so in all of them.
int printf(const char *, ...);
int main(void) {
    struct {
        unsigned _BitInt(97) f : 54;
        _BitInt(95) g : 16;
        _BitInt(128) h : 64;
        __int128 i : 20;
    } s = {5, -5, -7, -9};
    printf("%d %d %d\n", (int)(s.f >> 64), (int)(s.g >> 64), (int)(s.h >> 70));
    printf("%d %d\n", (int)(s.g * (unsigned _BitInt(32))4000000000u / 1000000000), (int)(s.i * 3));
    s.g = -32768;
    s.h = (_BitInt(128))1 << 63;
    printf("%d %d %d\n", (int)(s.g + 1), s.h < 0, (int)s.f);
    // What an assignment gives is what was stored.
    _BitInt(95) given = s.g = 0x18001;
    _BitInt(128) whole = s.h = (_BitInt(128))3 << 63;
    printf("%d %d %d\n", (int)given, (int)(whole >> 62), (int)((s.g += 0x10000) * 2));
    s.f = (unsigned)s.g;
    s.f = given < 0;
    s.g++;
    printf("%d %d\n", (int)s.f, (int)(s.g >> 80));
    return 0;
}
