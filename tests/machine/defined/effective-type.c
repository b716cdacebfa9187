// The ways the rule allows: characters, unions, signedness, memcpy, retyping allocated memory.
extern void *malloc(__typeof__(sizeof 0));
union both { float f; unsigned u; };
int main(void) {
    float f = 1.0f;
    unsigned char *bytes = (unsigned char *)&f;
    unsigned from_bytes = 0, copied;
    for (int i = 0; i < 4; i++) from_bytes |= (unsigned)bytes[i] << (8 * i);
    union both both;
    both.f = f;
    __builtin_memcpy(&copied, &f, sizeof f);
    if (from_bytes != 0x3f800000u || both.u != from_bytes || copied != from_bytes) return 1;
    int minus = -1;
    if (*(unsigned *)&minus != 0xffffffffu) return 2;
    void *heap = malloc(8);
    if (!heap) return 0;
    *(double *)heap = 2.0;
    if (*(double *)heap != 2.0) return 3;
    *(long *)heap = 7;
    if (*(long *)heap != 7) return 4;
    // Copied as an array of characters, a value brings its type along (6.5p6).
    double d = 3.0;
    for (unsigned i = 0; i < sizeof d; i++) ((char *)heap)[i] = ((char *)&d)[i];
    if (*(double *)heap != 3.0) return 5;
    // One character of an int leaves it an int.
    *(int *)heap = 0x0101;
    *(unsigned char *)heap = 2;
    return *(int *)heap != 0x0102 && *(int *)heap != 0x02000101;
}
