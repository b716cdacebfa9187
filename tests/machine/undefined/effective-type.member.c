// A member of one structure is read as a member of another like it, both in one union that the access does not name.
struct first { double d; };
struct second { double d; };
union both { struct first x; struct second y; };
static double stored_and_read(struct first *a, struct second *b) {
    a->d = 1.0;
    return b->d; // UB: effective-type
}
int main(void) {
    union both both;
    both.x.d = 0.0;
    return stored_and_read(&both.x, &both.y) != 1.0;
}
