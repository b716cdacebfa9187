// Two structures with one base: what was stored through one is read through the other.
extern void *malloc(__typeof__(sizeof 0));
struct base { int kind; };
struct left { struct base base; long more; };
struct right { struct base base; long more; };
int main(void) {
    struct base *base = malloc(sizeof(struct left));
    if (!base) return 0;
    ((struct left *)base)->base.kind = 1;
    if (base->kind != 1) return 1;
    struct right *right = (struct right *)base;
    return right->base.kind != 1; // UB: effective-type
}
