// C11 7.21.3p4: the value of a pointer to a closed stream is of no use.
#include <stdio.h>
int main(void) {
    FILE *f = tmpfile();
    fclose(f);
    return feof(f); // UB: library-argument
}
