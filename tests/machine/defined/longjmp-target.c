#include <setjmp.h>
static jmp_buf there;
static int depth;
static void dive(int n) {
    depth++;
    if (n == 0) longjmp(there, 7);
    dive(n - 1);
}
int main(void) {
    volatile int before = 1;
    int code = 0;
    switch (setjmp(there)) {
    case 0:
        before = 2;
        dive(10);
        return 1;
    case 7:
        code = 7;
        break;
    default:
        return 2;
    }
    return !(code == 7 && before == 2 && depth == 11);
}
