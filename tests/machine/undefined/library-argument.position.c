// C11 7.21.9.3p2: a position is one of the stream that it was got from.
#include <stdio.h>
int main(void) {
    FILE *f = tmpfile(), *g = tmpfile();
    fpos_t here;
    fgetpos(f, &here);
    fsetpos(g, &here); // UB: library-argument
    return 0;
}
