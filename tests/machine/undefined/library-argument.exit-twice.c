// C11 7.22.4.4p2: exit is called once, and returning from main calls it.
#include <stdlib.h>
static void again(void) {
    exit(1); // UB: library-argument
}
int main(void) {
    atexit(again);
    return 0;
}
