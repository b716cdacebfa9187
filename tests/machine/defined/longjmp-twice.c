// A buffer of automatic storage serves more than one longjmp.
#include <setjmp.h>
static void leave(jmp_buf buffer, int n) { longjmp(buffer, n); }
int main(void) {
    jmp_buf buffer;
    volatile int rounds = 0;
    int came = setjmp(buffer);
    if (came != rounds) return 1;
    if (rounds < 5) {
        rounds++;
        leave(buffer, rounds);
    }
    return rounds != 5;
}
