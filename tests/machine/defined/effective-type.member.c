// Records that share bytes as compilers allow it too.
extern void *malloc(__typeof__(sizeof 0));
extern void *realloc(void *, __typeof__(sizeof 0));
extern void free(void *);
extern void *memcpy(void *, const void *, __typeof__(sizeof 0));
extern void *memset(void *, int, __typeof__(sizeof 0));

struct first { int kind; double d; };
struct second { int kind; double d; };
union both { struct first x; struct second y; };

// Through the union, which the access names.
static int through_union(union both *both) {
    both->x.kind = 3;
    both->x.d = 2.0;
    if (both->y.kind != 3 || both->y.d != 2.0) return 1;
    struct second *second = &both->y;
    second->d = 4.0;
    if (both->x.d != 4.0) return 2;
    union both copy = *both;
    struct first *first = &both->x;
    first->kind = 5;
    *both = copy;
    return second->kind != 3;
}

// A store changes the type of a member of a union.
static int stored_again(union both *both, struct first *x, struct second *y) {
    x->d = 1.0;
    y->d = 2.0;
    if (y->d != 2.0) return 1;
    x->d = 3.0;
    if (x->d != 3.0) return 2;
    double *plain = &x->d;
    *plain = 4.0;
    if (y->d != 4.0) return 3;
    x->d = 5.0;
    both->y.d = 6.0;
    return y->d != 6.0;
}

// A base at the beginning, cast both ways; the member around, from one of its members.
struct base { int kind; struct base *next; };
struct derived { struct base base; int more; };
struct around { char before; struct derived inner[2]; };
static int based(struct derived *derived) {
    struct base *base = (struct base *)derived;
    base->kind = 7;
    if (derived->base.kind != 7) return 1;
    derived->base.kind = 8;
    if (base->kind != 8 || ((struct derived *)base)->base.kind != 8) return 2;
    struct around around = {0};
    struct derived *second = &around.inner[1];
    second->base.kind = 9;
    char *bytes = (char *)second - __builtin_offsetof(struct around, inner[1]);
    struct around *back = (struct around *)bytes;
    for (int i = 0; i < 2; i++) {
        if (back->inner[i].base.kind != (i ? 9 : 0)) return 3;
        back->inner[i].more = i;
    }
    return second->more != 1;
}

// An allocator that gives the same memory to one type after the other.
struct block { struct block *next; };
static struct block *blocks;
static void *take(void) {
    struct block *block = blocks;
    if (!block) return malloc(sizeof(union both));
    blocks = block->next;
    return block;
}
static void give(void *memory) {
    struct block *block = memory;
    block->next = blocks;
    blocks = block;
}
static int reused(void) {
    struct first *first = take();
    if (!first) return 0;
    first->kind = 1;
    first->d = 1.0;
    give(first);
    struct second *second = take();
    if (!second) return 0;
    second->kind = 2;
    second->d = 2.0;
    if (second->kind != 2 || second->d != 2.0) return 1;
    // Bytes without a type, and those of another object.
    memset(second, 0, sizeof *second);
    first = (struct first *)second;
    if (first->kind != 0) return 2;
    first->kind = 3;
    struct second other = {4, 4.0};
    memcpy(first, &other, sizeof other);
    second = (struct second *)first;
    if (second->kind != 4) return 3;
    give(second);
    free(take());
    return 0;
}

// A flexible array of records, and an int that belongs to no record.
struct many { int n; struct first first[]; };
static int flexible(void) {
    struct many *many = malloc(sizeof(struct many) + 3 * sizeof(struct first));
    if (!many) return 0;
    many->n = 3;
    for (int i = 0; i < many->n; i++) many->first[i].kind = i;
    struct first *last = &many->first[2];
    if (last->kind != 2) return 1;
    last->kind = 5;
    int at = 2;
    if (many->first[at].kind != 5) return 2;
    struct many *more = realloc(many, sizeof(struct many) + 5 * sizeof(struct first));
    if (!more) return 0;
    if (more->first[2].kind != 5) return 3;
    free(more);
    int lonely = 6;
    struct wrapped { int value; } *wrapped = (void *)&lonely;
    wrapped->value = 7;
    return lonely != 7;
}

// Declared to alias.
struct __attribute__((may_alias)) loose { int kind; };
typedef struct second __attribute__((may_alias)) loose_second;
static int may_alias(struct first *first) {
    first->kind = 11;
    struct loose *loose = (struct loose *)first;
    loose_second *second = (loose_second *)first;
    return loose->kind != 11 || second->kind != 11;
}

int main(void) {
    union both both;
    struct derived derived = {{0}};
    struct first first = {0};
    if (through_union(&both)) return 1;
    if (stored_again(&both, &both.x, &both.y)) return 2;
    if (based(&derived)) return 3;
    if (reused()) return 4;
    if (flexible()) return 5;
    if (may_alias(&first)) return 6;
    return 0;
}
