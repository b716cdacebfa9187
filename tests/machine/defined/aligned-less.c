// An attribute of an object may ask for less than its type does; of a member only with `packed`.
__attribute__((aligned(1))) int a;
int b __attribute__((aligned(2)));
struct s { int x __attribute__((aligned(1))); char c; } s;
_Alignas(8) int e;
int main(void) {
    __attribute__((aligned(1))) long l;
    return !(__alignof__(a) == 1 && __alignof__(b) == 2 && __alignof__(s.x) == 4 && __alignof__(l) == 1 && __alignof__(e) == 8);
}
