// C11 6.5.16.1p3: the byte and the number share storage, but not exactly.
union u {
    int number;
    unsigned char byte;
};
int main(void) {
    union u u = {7};
    u.byte = 3;
    u.number = u.byte; // UB: overlapping-assignment
    return u.number - 3;
}
