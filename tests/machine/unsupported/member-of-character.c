// A character of one structure is read as a member of another: C lets characters be read anywhere (6.5p7), compilers go
// by the structure.
struct first { char c; };
struct second { char c; };
union both { struct first x; struct second y; };
static int stored_and_read(struct first *a, struct second *b) {
    a->c = 1;
    return b->c; // UNSUPPORTED: a member of a character type
}
int main(void) {
    union both both;
    both.x.c = 0;
    return stored_and_read(&both.x, &both.y) != 1;
}
