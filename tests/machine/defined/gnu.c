// gcc alone: clang refuses nested functions
// GNU C that clang does not read: nested functions, and what goes with them.
#include <stdio.h>
#include <stdlib.h>
static int apply(int (*f)(int), int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
static int rec(int n, int (*up)(void)) {
    int here(void) { return n + (up ? up() : 0); }
    return n ? rec(n - 1, here) : here();
}
int main(void) {
    int base = 10, calls = 0;
    int add(int x) { calls++; return x + base; }
    auto int fact(int);
    int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
    int first = apply(add, 5);
    base = 20;
    printf("%d %d %d %d %d\n", first, apply(add, 3), calls, fact(6), rec(4, 0));
    int find(int k) {
        __label__ found;
        int v[5] = {5, 3, 8, 1, 9}, at = -1;
        void look(int i) { if (v[i] == k) { at = i; goto found; } if (i < 4) look(i + 1); }
        look(0);
        return -1;
    found:
        return at;
    }
    printf("%d %d %d\n", find(8), find(9), find(7));
    return 0;
}
