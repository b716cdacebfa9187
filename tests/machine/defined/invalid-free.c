extern void *malloc(__typeof__(sizeof 0));
extern void *realloc(void *, __typeof__(sizeof 0));
extern void free(void *);
int main(void) {
    int *p = malloc(4 * sizeof *p);
    if (!p) return 0;
    for (int i = 0; i < 4; i++) p[i] = i;
    int *q = realloc(p, 100 * sizeof *q);
    if (!q) return 0;
    int ok = q[3] == 3;
    free(q);
    free(0);
    return !ok;
}
