// target: lp64
// gcc alone: others want the two of one type
// The two vectors of __builtin_shufflevector may have different lengths; an index counts through both.
#include <stdio.h>
typedef int v2 __attribute__((vector_size(8)));
typedef int v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
static v4 a = {0, 1, 2, 3};
static v8 b = {10, 11, 12, 13, 14, 15, 16, 17};
static void show(const int *p, int n) {
    for (int i = 0; i < n; i++) printf("%d ", p[i]);
    printf("\n");
}
int main(void) {
    v4 c = __builtin_shufflevector(a, b, 3, 4, 11, 0), d = __builtin_shufflevector(b, a, 7, 8, 11, 0);
    v8 e = __builtin_shufflevector((v2){-1, -2}, b, 9, 2, 1, 0, 3, 2 + 1, 4, sizeof(int) + 1);
    v2 f = __builtin_shufflevector(e, (v2){7, 8}, 8, 0);
    show((int *)&c, 4), show((int *)&d, 4), show((int *)&e, 8), show((int *)&f, 2);
    return 0;
}
