extern void *malloc(__typeof__(sizeof 0));
extern void free(void *);
int main(void) {
    int *p = malloc(4 * sizeof *p);
    if (!p) return 0;
    free(p + 1); // UB: invalid-free
    return 0;
}
