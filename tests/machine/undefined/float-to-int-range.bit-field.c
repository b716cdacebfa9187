// C11 6.3.1.4p1: the type converted to is that of the bit-field, with its width.
struct s { unsigned three : 3; };
int main(void) {
    struct s s;
    double d = 7.5;
    s.three = d;
    d = 8;
    s.three = d; // UB: float-to-int-range
    return 0;
}
