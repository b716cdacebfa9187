// gcc forgets all of the first value, clang only the member.
struct s {
    int a, b;
};
struct t {
    struct s s;
};
static struct s make(void) {
    return (struct s){1, 2};
}
int main(void) {
    struct t t = {.s = make(), .s.b = 3}; // UNSUPPORTED: part of a record
    return t.s.a;
}
