// Shifts that together rotate, and some that only look so.
#include <stdio.h>
typedef unsigned int u32;
typedef unsigned long long u64;
#define R(a, b) (((a) << (b)) | ((a) >> (32 - (b))))
struct state { u32 word[4]; u64 wide; unsigned short half; };
static u32 calls;
static u32 next(void) { return ++calls * 0x9e3779b9u; }
static u32 mix(struct state *s, u32 *p, int i) {
    s->word[0] ^= R(s->word[1] + s->word[3], 7);
    s->word[1] += R(p[i] ^ s->word[0], 13) ^ (s->word[2] >> 3 | s->word[2] << 29);
    s->wide = (s->wide << 24) + (s->wide >> 40);
    p[i] = p[i] >> 1 ^ p[i] << 31;
    return s->word[0] ^ s->word[1];
}
int main(void) {
    struct state s = {{1, 0x80000000u, 3, 0xfffffff0u}, 0x0123456789abcdefull, 0xabcd};
    u32 other[2] = {5, 0xdeadbeefu};
    volatile u32 v = 0x12345678;
    int negative = -5;
    for (int i = 0; i < 10; i++) {
        u32 mixed = mix(&s, other, i & 1);
        printf("%x %llx %x\n", mixed, s.wide, other[i & 1]);
    }
    printf("%x %x\n", v << 4 | v >> 28, R(v, 8));
    printf("%x\n", (next() << 5 | next() >> 27));
    printf("%x %u\n", (other[0] << 5 | other[1] >> 27), calls);
    printf("%x %x\n", other[0] << 5 | other[0] >> 26, other[0] << 5 & other[0] >> 27);
    printf("%x\n", (s.half << 4 | s.half >> 12));
    printf("%d %u\n", (int)((u32)negative << 3 | (u32)negative >> 29), 40 - 7u + 3 * 2);
    printf("%x\n", (s.word[0] & 255) << 8 | (s.word[0] & 255) >> 24);
    return 0;
}
