// C11 7.13.2.1p3: a changed object that is not volatile has no value after the jump.
#include <setjmp.h>
static jmp_buf buffer;
int main(void) {
    int kept = 1, changed = 1;
    volatile int counted = 1;
    if (setjmp(buffer)) {
        if (kept + counted != 3) return 1;
        return changed; // UB: uninitialised-read
    }
    changed = 2;
    counted = 2;
    longjmp(buffer, 1);
}
