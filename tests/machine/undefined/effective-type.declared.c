// An object declared as one structure is read as another that begins with the same members.
struct shape { int kind; };
struct circle { int kind; int radius; };
static int kind_of(void *p) {
    struct shape *shape = p;
    return shape->kind; // UB: effective-type
}
int main(void) {
    struct circle circle = {1, 2};
    return kind_of(&circle) != 1;
}
