struct fixed { unsigned a : 3; const unsigned b : 3; unsigned c : 10; };
struct __attribute__((may_alias)) plain { unsigned a : 3, b : 3, c : 10; };
int main(void) {
    struct fixed f[2] = {{1, 2, 3}, {4, 5, 6}};
    struct plain *p = (struct plain *)&f[1];
    p->a = 2;
    p->c = 1000;
    p->b = 1; // UB: const-modified
    return f[1].b;
}
