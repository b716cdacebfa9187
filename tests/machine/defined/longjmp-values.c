// What keeps its value across longjmp (C11 7.13.2.1p3): what did not change, what is volatile, what is static.
#include <setjmp.h>
static jmp_buf buffer;
struct s { int a; unsigned f : 3, g : 5; };
static void jump(int n) { longjmp(buffer, n); }
static int tries(int parameter) {
    static int count;
    volatile int last = 0;
    volatile struct s v = {1, 2, 3};
    struct s plain = {4, 5, 6};
    int array[3] = {1, 2, 3};
    double d = parameter;
    switch (setjmp(buffer)) {
    case 0: break;
    case 1: last++; break;
    default: return last + count + v.a + v.g + plain.a + plain.f + array[0] + array[2] + (int)d;
    }
    count++;
    v.a = count;
    v.g++;
    if (last < 2) {
        int inner = last;
        inner++;
        jump(1);
        return inner;
    }
    plain.g = 1;
    array[1] = 9;
    jump(2);
    return 0;
}
int main(void) { return tries(5) != 2 + 3 + 3 + 6 + 4 + 5 + 1 + 3 + 5; }
