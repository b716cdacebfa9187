// A whole structure is copied out of memory that holds another.
extern void *malloc(__typeof__(sizeof 0));
struct pair { int a, b; };
struct point { int x, y; };
int main(void) {
    void *memory = malloc(sizeof(struct pair));
    if (!memory) return 0;
    struct pair pair = {1, 2};
    *(struct pair *)memory = pair;
    void *again = memory;
    struct point point = *(struct point *)again; // UB: effective-type
    return point.x != 1;
}
