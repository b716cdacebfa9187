// Layout, promotion and wrap of bit-fields.
#include <stdio.h>
#include <string.h>
struct a { unsigned x : 3; int y : 5; unsigned z : 11; unsigned : 0; unsigned w : 1; };
struct b { char c; int f : 4; int g : 12; short s; long long h : 40; };
struct __attribute__((packed)) p { unsigned char c; unsigned long long big : 39; unsigned int tail : 9; };
union u { struct a a; unsigned word; };
enum e { E0, E1, E2 };
struct en { enum e v : 3; _Bool t : 1; signed char n : 3; };
int main(void) {
    printf("%d %d %d %d\n", (int)sizeof(struct a), (int)sizeof(struct b), (int)sizeof(struct p), (int)sizeof(struct en));
    struct a a = {7, -16, 2047, 1};
    a.x += 2, a.z <<= 1;
    printf("%d %d %d %d %d\n", a.x, a.y, a.z, a.w, a.x - 8 < 0);
    struct b b;
    memset(&b, 0, sizeof b);
    b.f = -8, b.g = 2047, b.h = -1;
    b.h = b.h / 2 + 0x7fffffffffLL;
    b.f++, b.g--;
    printf("%d %d %lld\n", b.f, b.g + 1, (long long)b.h);
    b.f--;
    b.g++;
    printf("%d %d\n", b.f, b.g);
    struct p p = {1, 0x5555555555ULL, 0x1ff};
    p.tail ^= 0x0f0;
    printf("%d %llu %u\n", p.c, (unsigned long long)p.big, p.tail);
    unsigned char raw[sizeof(struct p)];
    memcpy(raw, &p, sizeof p);
    for (unsigned i = 0; i < sizeof raw; i++) printf("%02x", raw[i]);
    struct en en = {E2, 5, -4};
    en.v |= 1;
    printf("\n%d %d %d\n", en.v, en.t, en.n);
    union u u = {{0}};
    u.a.y = -1, u.a.x = 5;
    printf("%x\n", u.word & 0xff);
    printf("%d\n", (u.a.y = 17));
    struct b list[2] = {{.g = 5, .f = 1}, {.h = 12}};
    struct b *q = list;
    q++->f--;
    printf("%d %d %lld %d\n", list[0].f, q->g, (long long)q->h, (int)(q - list));
    return 0;
}
