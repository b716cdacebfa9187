// Promotions, wrap, compound assignment, increments, shifts and comparisons at the edges of every type.
#include <limits.h>
#include <stdio.h>
#include <stdint.h>
#include <wchar.h>
static int8_t s8 = INT8_MIN; static uint8_t u8 = 255; static int16_t s16 = INT16_MAX; static uint16_t u16 = 65535;
static uint32_t u32 = 4294967295u; static int64_t s64 = INT64_MIN + 1; static uint64_t u64 = UINT64_MAX; static _Bool bo;
int main(void) {
    s8--, u8++, s16++, u16 += 2, u32 *= 3, u64 <<= 63, bo--, bo += 5;
    printf("%d %d %d %d %u %lld %llu %d\n", s8, u8, s16, u16, u32, (long long)-s64, (unsigned long long)u64, bo);
    s8 = 200, s16 = 70000, u8 = -1, u16 = 1 - 2;
    printf("%d %d %d %d %d\n", s8, s16, u8, u16, (s8 ^ u8) * 8);
    printf("%d %d %d %d\n", -1 < 1u, -1L < 1u, (short)-1 < (unsigned short)1, (signed char)-1 == 0xff);
    printf("%d %d %u %d\n", -7 / 2, -7 % 3, -7 / 2u, -8 >> 1);
    printf("%d %d %d %d\n", 'a' + 1, '\377', (int)L'x', sizeof('a') == sizeof(int));
    printf("%llu %lld %d\n", 18446744073709551615ull, 0x7fffffffffffffffLL, 0x80000000 > 0);
    printf("%d %d %d\n", (int)sizeof(2147483648), 010 + 0x10 + 0b10, (int)sizeof 1ull);
    u8 = 0x80;
    u8 >>= 1, u8 |= u8 << 1, u8 /= 3, u8 %= 50;
    int i = 5, j = i++ + 3, *p = &i;
    (*p)++, i = -i, i = ~i, i = !i;
    printf("%d %d %d\n", u8, i, j > 0);
    volatile int v = 3;
    v += v, v = v * v - 1;
    const volatile unsigned long long big = 1ull << 40;
    printf("%d %d %lld\n", v, (int)(big >> 38), (long long)(int)(big + 7));
    wchar_t w[] = L"wide";
    char str[][4] = {"abc", "de", "f"}, utf[] = u8"\u00e9", esc[] = "\x41\102\a\0z";
    printf("%d %d %d %d %d\n", (int)(sizeof w / sizeof *w), (int)w[2], str[1][3], (int)sizeof utf, (int)sizeof esc);
    enum e { A = -1, B, C = 5, D } e = D;
    enum big { X = 1ull << 35 };
    printf("%d %d %d %d\n", A + B, e, (int)sizeof(enum e), sizeof(enum big) == 8);
    return 0;
}
