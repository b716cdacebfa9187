// C11 6.5p6: a character stored into an allocated int leaves the rest of it an int.
extern void *malloc(__typeof__(sizeof 0));
int main(void) {
    void *heap = malloc(4);
    if (!heap) return 0;
    *(int *)heap = 7;
    *(char *)heap = 0;
    return *(float *)heap != 0; // UB: effective-type
}
