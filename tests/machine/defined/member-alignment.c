// The alignment of a member is that of its declaration.
struct s {
    char first;
    _Alignas(16) char aligned;
    int packed __attribute__((packed));
    int many[3] __attribute__((aligned(32)));
};
struct __attribute__((packed)) p {
    char c;
    int i;
    _Alignas(8) short s;
};
int main(void) {
    struct s s;
    struct p p;
    return !(__alignof__(s.first) == 1 && __alignof__(s.aligned) == 16 && __alignof__(s.packed) == 1
             && __alignof__(s.many) == 32 && __alignof__(p.i) == 1 && __alignof__(p.s) == 8);
}
