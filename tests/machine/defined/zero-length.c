// GNU C: a zero-length array at the end reaches to the end of the object.
extern void *malloc(__typeof__(sizeof 0));
union record { char c[4]; struct { unsigned char n[1]; char name[0]; } u; } entry;
struct tail { int n; int more[0]; };
int main(void) {
    entry.c[1] = 7;
    struct tail *t = malloc(sizeof *t + 8);
    if (!t) return 0;
    t->more[1] = 4;
    return !(entry.u.name[0] == 7 && t->more[1] == 4);
}
