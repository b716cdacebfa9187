// Members of unions stored from members of others, from themselves, and from computed values.
union u {
    int number;
    unsigned char bytes[4];
    struct { short low, high; } halves;
};
int main(void) {
    union u a = {5}, b = {6};
    a.number = b.number;
    a.number = a.number;
    a.bytes[1] = 3;
    a.bytes[0] = a.bytes[1];
    a.halves.low = 8;
    a.halves.high = a.halves.low;
    int kept = a.halves.high;
    a.number = kept;
    b.number = +(a.bytes[0] = 4);
    return b.number != 4 || kept != 8;
}
