// The same through pointers to unions that may or may not be one.
union u {
    long long wide;
    short part[4];
};
static void move(union u *to, union u *from, int n) {
    to->wide = from->part[n]; // UB: overlapping-assignment
}
int main(void) {
    union u a = {0}, b = {0};
    for (int n = 0; n < 4; n++) a.part[n] = b.part[n] = n;
    move(&a, &b, 2);
    if (a.wide != 2) return 1;
    move(&b, &b, 1);
    return 0;
}
