// Volatile lvalues may access any object, and volatile bytes are accessed through volatile characters.
struct s { volatile char c[4]; volatile int i; int j; };
static volatile unsigned char text[4] = "abc";
volatile int flag = 1;
int main(void) {
    volatile int *p = &flag;
    int plain = 2;
    volatile int *q = &plain;
    *p += 2;
    *q = *p + plain;
    if (flag != 3 || plain != 5) return 1;
    struct s a = {{1}, 2, 3}, b;
    b = a;
    volatile char *c = b.c;
    c[1] = 4;
    int n = 0;
    for (volatile unsigned char *t = text; *t; t++) n += *t;
    if (n != 294) return 2;
    volatile unsigned char *bytes = (volatile unsigned char *)&flag;
    bytes[0] = 1;
    if (flag == 0) return 3;
    union { volatile char c; int i; } u;
    u.i = 0;
    u.c = 1;
    volatile struct s v = {{1, 2, 3, 4}, 1, 2};
    v.c[0]++;
    v.j = 3;
    static volatile char square[2][2];
    square[1][1] = 3;
    return c[0] + b.c[1] + u.c + v.c[0] + v.j + square[1][1] != 1 + 4 + 1 + 2 + 3 + 3;
}
