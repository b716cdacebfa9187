// Exact overlap, or none.
struct big { int x[8]; };
union same { struct big one, two; };
int main(void) {
    union same u = {{{1, 2, 3}}};
    struct big a[2] = {{{5}}, {{6}}}, *p = a;
    u.one = u.two;
    p[0] = p[0];
    p[1] = p[0];
    return !(u.one.x[1] == 2 && a[1].x[0] == 5);
}
