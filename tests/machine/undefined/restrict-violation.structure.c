struct pair { int a, b; };
static int f(struct pair *restrict s, int *b) {
    *b = 1;
    struct pair copy = *s; // UB: restrict-violation
    return copy.a;
}
int main(void) {
    struct pair s = {0, 0};
    return f(&s, &s.b);
}
