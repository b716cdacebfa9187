#include <string.h>
static int f(char *restrict p, char *q) {
    p[0] = 'a';
    memcpy(q, "xyz", 4); // UB: restrict-violation
    return p[0];
}
int main(void) {
    char text[4];
    return f(text, text);
}
