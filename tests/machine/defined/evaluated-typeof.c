// An operand of typeof, or of sizeof, whose type is variable is evaluated (6.5.3.4p2; GNU C for typeof).
#include <stdio.h>
static int next(int *count) {
    return ++*count;
}
int main(void) {
    int count = 0, seen = 0;
    char buffer[16];
    void *p = buffer;
    (void)(__typeof__((int(*)[seen = ++count])p))p;
    printf("%d %d\n", count, seen);
    (void)(__typeof__(int(*)[seen = ++count]))p;
    printf("%d %d\n", count, seen);
    int size = (int)sizeof(*(next(&count), (char(*)[count])p));
    printf("%d %d\n", count, size);
    __typeof__(next(&count)) unused = 0;
    printf("%d %d %d\n", count, unused, (int)sizeof(next(&count)));
    return 0;
}
