// The same for what a library function writes.
#include <string.h>
struct s { char a[2], b; };
int main(void) {
    struct s s = {{1, 2}, 3};
    memset(s.a, 0, 3); // UB: out-of-bounds
    return s.b;
}
