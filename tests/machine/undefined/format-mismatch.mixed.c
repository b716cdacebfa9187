// POSIX: a format takes its arguments by position or in turn.
#include <stdio.h>
int main(void) {
    printf("%1$d %d\n", 1, 2); // UB: format-mismatch
    return 0;
}
