// C11 7.14.1.1p3: a handler that raise called does not call raise.
#include <signal.h>
static void handler(int number) {
    if (number == SIGUSR1) raise(SIGUSR2); // UB: library-argument
}
int main(void) {
    signal(SIGUSR1, handler);
    signal(SIGUSR2, handler);
    raise(SIGUSR1);
    return 0;
}
