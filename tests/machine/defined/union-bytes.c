// Bytes of a union that a store to a smaller member leaves out have unspecified values: reading them is no error.
union u {
    unsigned i;
    unsigned char c;
    unsigned char all[4];
};
int main(void) {
    union u u;
    u.i = 0x01010101;
    u.c = 2;
    unsigned whole = u.i, sum = 0;
    for (int n = 1; n < 4; n++) sum += u.all[n];
    union u copy = u;
    return u.c != 2 || copy.c != 2 || whole == 0 || sum > 3 * 255 || u.all[0] != 2;
}
