// The members overlap by half.
struct half { short low, high; };
union overlap {
    struct { struct half head; short tail; } a;
    struct { short pad; struct half rest; } b;
};
int main(void) {
    union overlap u = {{{1, 2}, 3}};
    u.b.rest = u.a.head; // UB: overlapping-assignment
    return u.a.tail;
}
