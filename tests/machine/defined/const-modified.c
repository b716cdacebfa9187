// The object itself is not const, only the pointer that looked at it; const bit-fields share bytes with others.
struct part { const int id; int value; };
struct fixed { unsigned a : 3; const unsigned b : 3; unsigned c : 10; };
struct __attribute__((may_alias)) plain { unsigned a : 3, b : 3, c : 10; };
static struct { int k; struct fixed f[2]; } s = {1, {{1, 2, 3}, {4, 5, 6}}};
int main(void) {
    int x = 3;
    const int *look = &x;
    *(int *)look = 4;
    struct part part = {1, 2};
    part.value = 5;
    struct fixed f = {1, 2, 3};
    f.a = 7;
    f.c += 2;
    ((struct plain *)&f)->a--;
    s.f[1].c = 9;
    s.f[1].a = 3;
    struct fixed g = f;
    g.a = 0;
    if (f.a != 6 || f.b != 2 || f.c != 5 || s.f[1].b != 5 || s.f[1].c != 9 || g.b != 2) return 1;
    return !(x == 4 && part.id == 1 && part.value == 5);
}
