// C11 6.5.2.5, example 8: an unnamed object is one for each entry of its block, however often it is reached.
struct s { int i; };
static int same(void) {
    struct s *p = 0, *q;
    int j = 0;
again:
    q = p, p = &((struct s){j++});
    if (j < 2) goto again;
    return p == q && q->i == 1;
}
static int kept(void) {
    int n = 0, *last = 0;
next:;
    int here = n, *p = &here;
    if (last && (last != p || *last != n)) return 0;
    last = p;
    if (++n < 4) goto next;
    return 1;
}
int main(void) { return !same() || !kept(); }
