// C11 7.21.5.3p7: input does not follow output without a call that positions the stream.
#include <stdio.h>
int main(void) {
    FILE *f = tmpfile();
    fputc('a', f);
    return fgetc(f); // UB: library-argument
}
