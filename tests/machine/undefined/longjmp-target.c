#include <setjmp.h>
static jmp_buf there;
static int mark(void) { return setjmp(there); }
int main(void) {
    if (mark() == 0)
        longjmp(there, 1); // UB: longjmp-target
    return 0;
}
