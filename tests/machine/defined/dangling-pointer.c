// The object that the pointer points to lives as long as the pointer is used. What is copied as part of a structure, or as
// bytes, is no pointer's value (6.2.6.1p4 and p6).
#include <stdlib.h>
#include <string.h>
struct pair { int *p; int n; };
static int *keep(void) {
    static int lasting = 5;
    return &lasting;
}
int main(void) {
    int *p;
    {
        int inner = 5;
        p = &inner;
        *p += 1;
        if (inner != 6) return 1;
    }
    p = keep();
    *p += 2;
    if (*keep() != 7) return 2;
    struct pair a = {malloc(sizeof(int)), 3}, b, c;
    if (!a.p) return 0;
    free(a.p);
    b = a;
    memcpy(&c, &b, sizeof c);
    struct pair *to = &c;
    to->p = p;
    for (int i = 0; i < 3; i++) {
        int *last = i ? p : NULL;
        if (last && *last != 7) return 3;
        p = keep();
    }
    return b.n + c.n + (c.p == keep()) != 7;
}
