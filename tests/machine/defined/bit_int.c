// std: gnu2x
// target: lp64
// _BitInt: no promotion, ranks by width, wrapping of unsigned ones, layout as the x86-64 psABI has it.
int printf(const char *, ...);
struct s {
    _BitInt(7) a;
    unsigned _BitInt(5) b : 3;
    _BitInt(100) w;
};
static _BitInt(13) gv = -5;
static unsigned _BitInt(77) gw = 12345678901234567890uwb;
static _BitInt(7) add(_BitInt(7) a, _BitInt(7) b) { return a + b; }
static unsigned _BitInt(100) mul(unsigned _BitInt(100) a, unsigned _BitInt(100) b) { return a * b; }

int main(void) {
    unsigned _BitInt(5) u = 31;
    u++;
    u--;
    u += 3;
    _BitInt(7) a = 63;
    struct s s = {-64, 7, 1};
    s.w <<= 98;
    s.b++;
    printf("%d %d %d %d %zu %zu\n", (int)u, (int)add(a, -63), (int)s.a, (int)s.b, sizeof(s), _Alignof(struct s));
    printf("%d %zu %zu\n", (int)(s.w >> 97), sizeof(_BitInt(33)), sizeof(unsigned _BitInt(17)));
    unsigned _BitInt(100) m = mul(gw, gw);
    printf("%llx %llx\n", (unsigned long long)m, (unsigned long long)(m >> 64));
    printf("%d ", _Generic(a + a, _BitInt(7): 1, int: 2));
    printf("%d ", _Generic(a + 1, _BitInt(7): 1, int: 2));
    printf("%d ", _Generic(s.b + s.b, unsigned _BitInt(5): 1, int: 2));
    printf("%d ", _Generic(a + gw, unsigned _BitInt(77): 1, int: 2));
    printf("%d ", _Generic((_BitInt(32))1 + 1u, unsigned: 1, default: 2));
    printf("%d ", _Generic((_BitInt(40))1 + 1u, _BitInt(40): 1, default: 2));
    printf("%d\n", _Generic(3wb, _BitInt(3): 1, default: 2));
    printf("%d %f %d %d\n", (int)gv, (double)s.w, (int)(_BitInt(4))9, (int)(_BitInt(20))-3.7);
    switch (a) {
    case 63: printf("here\n");
    }
    _BitInt(7) arr[3] = {1, 2, 3};
    for (_BitInt(7) i = 0; i < 3; i++) printf("%d", (int)arr[i]);
    unsigned _BitInt(6) r;
    printf("\n%d", __builtin_add_overflow(60, 3, &r));
    printf(" %d", __builtin_add_overflow(60, 4, &r));
    printf(" %d\n", (int)r);
    return u ? 0 : a;
}
