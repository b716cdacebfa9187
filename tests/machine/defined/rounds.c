// Sums that are turned, and what is combined with an element and stored, as ciphers do: the sum and the turned value are
// both read afterwards, a jump leads between the two, and the element is narrower or wider than what it is made of.
#include <stdint.h>
#include <stdio.h>
static uint32_t turned(uint32_t a, uint32_t b) {
    uint32_t sum = a + b, high = sum << 9 | sum >> 23;
    return high ^ sum;
}
int main(void) {
    uint32_t x[4] = {0xfffffff0u, 0x20u, 7, 0};
    uint64_t wide[2] = {1, 2};
    uint8_t narrow[2] = {0xff, 1};
    for (int i = 0; i < 3; i++) {
        x[2] ^= (x[0] + x[1]) << 7 | (x[0] + x[1]) >> 25;
        x[3] ^= (x[2] + x[0]) << 18 | (x[2] + x[0]) >> 14;
        uint32_t kept = x[1] ^= x[3];
        wide[1] ^= kept;
        narrow[0] ^= x[2];
        if (i == 1)
            goto middle;
        x[0] ^= x[1];
    middle:
        x[0] += narrow[0];
    }
    printf("%x %x %x %x %llx %x %x\n", x[0], x[1], x[2], x[3], (unsigned long long)wide[1], narrow[0], turned(x[0], x[1]));
}
