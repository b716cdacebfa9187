#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static jmp_buf back;

static int use(va_list ap) { return va_arg(ap, int); }

/* Each list that is started is ended, also one that is started again. */
static int sum(int n, ...) {
    va_list ap, copy;
    int s = 0;
    for (int round = 0; round < 2; round++) {
        va_start(ap, n);
        va_copy(copy, ap);
        for (int i = 0; i < n; i++) s += va_arg(ap, int);
        s += use(copy);
        va_end(copy);
        va_end(ap);
    }
    return s;
}

/* A jump out of it returns from nothing. */
static void leave(const char *why, ...) {
    va_list ap;
    va_start(ap, why);
    longjmp(back, va_arg(ap, int));
}

/* A parameter of a type that is its own promotion, and one that is an array. */
static int last(const char text[], ...) {
    va_list ap;
    va_start(ap, text);
    int value = va_arg(ap, int) + text[0];
    va_end(ap);
    return value;
}

/* The address of what ends with the function, which nobody uses. */
static int *address(void) {
    int local = 5;
    return &local;
}

static int kept;
static int *lasting(int *p) {
    static int own;
    own++;
    return p ? p : own > 3 ? &kept : &own;
}

int main(void) {
    printf("%d\n", sum(3, 1, 2, 3));
    if (setjmp(back) == 0) leave("why", 7);
    printf("%d\n", sum(1, 4));
    printf("%d\n", last("a", 1));
    address();
    int here = 1;
    printf("%d\n", *lasting(&here));
    printf("%d\n", *lasting(0));
    return 0;
}
