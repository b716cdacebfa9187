// Tables of constants and addresses: the same again and again, signs and conversions, const and volatile storage,
// unions and bit-fields beside them, in objects that are born again in every round.
int printf(const char *, ...);

static int a, b[3];
static const short fixed[4] = {-1, 65535 - 65536, 7, 7};
static volatile unsigned char shown[3] = {255, -1, 0x101 & 255};
static int *to[5] = {&a, &a, (void *)0, 0, b};
static int *const kept[2] = {&a, &b[2]};
static long long wide[4] = {-9223372036854775807LL - 1, -1U, -(-5), 1LL << 40};
static unsigned tops[3] = {-1, -2147483648LL, 4294967295U};
static _Bool truths[4] = {5, 0, -1, 1};
static union { unsigned u; float f; short s[2]; } either[2] = {{1}, {.s = {-1, 2}}};
static struct { int x : 3; unsigned y : 5; signed char c; int *p; double d; } mixed[2] = {{-4, 31, -128, &a, -2}, {.p = b, .d = 3}};
static double real[3] = {1, -1, 2.5};
enum E { LOW = -3, HIGH = 3 };
static enum E names[3] = {LOW, HIGH, LOW};

static int sum(int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        int t[2][3] = {{1, 1, 1}, {-1, i, 1}};
        short s[5] = {9, 9, [4] = -32768};
        int *p[3] = {&total, &a, &t[0][0]};
        const unsigned char c[3] = {200, 200, 300 - 256};
        unsigned long long w = -1;
        struct { char c; int n; } r = {'a', -7};
        total += t[1][0] + t[1][1] + t[0][2] + s[0] + s[1] + s[3] + s[4] / 32768 + (p[0] == &total) + *p[2] + c[1] + c[2] + (int)(w >> 60) + r.c + r.n;
        t[0][0] = t[1][2] = s[0] = 100;
        p[2] = 0;
        if (i == 2) continue;
        total -= *p[0] & 1;
    }
    return total;
}

int main(void) {
    a = 3, b[2] = 4, b[0] = 5;
    printf("%d %d %d %d\n", fixed[0], fixed[1], fixed[2], fixed[3]);
    printf("%d %d %d\n", shown[0], shown[1], shown[2]);
    printf("%d %d %d %d\n", *to[0] + *to[1], to[2] == 0, to[3] == 0, *to[4]);
    printf("%d\n", *kept[0] * *kept[1]);
    printf("%lld %lld %lld %lld\n", wide[0], wide[1], wide[2], wide[3]);
    printf("%u %u %u\n", tops[0], tops[1], tops[2]);
    printf("%d %d %d %d\n", truths[0], truths[1], truths[2], truths[3]);
    printf("%u %d %d\n", either[0].u, either[1].s[0], either[1].s[1]);
    printf("%d %d %d %d %g\n", mixed[0].x, mixed[0].y, mixed[0].c, *mixed[0].p, mixed[0].d);
    printf("%d %d %g\n", mixed[1].x, *mixed[1].p, mixed[1].d);
    printf("%g %g %g\n", real[0], real[1], real[2]);
    printf("%d %d %d\n", names[0], names[1], names[2]);
    printf("%d\n", sum(5));
    return 0;
}
