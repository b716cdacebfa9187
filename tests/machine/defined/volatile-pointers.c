// A volatile pointer that is read stays the pointer it was.
#include <stdio.h>
static int target = 7, other = 9;
static int *volatile kept = &target;
struct holder { char c; int *volatile p; };
int main(void) {
    struct holder h = {1, &other};
    int *volatile *volatile far = &kept;
    int *volatile local = kept;
    *local += 1, *h.p += 2, **far += 3;
    kept = h.p;
    *kept += 4;
    printf("%d %d %d\n", target, other, kept == &other);
    return 0;
}
