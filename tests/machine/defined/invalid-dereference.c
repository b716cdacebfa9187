// A pointer goes through an integer and comes back to its object.
typedef __UINTPTR_TYPE__ uintptr;
int main(void) {
    int x = 9;
    uintptr n = (uintptr)&x;
    int *p = (int *)n;
    *p += 1;
    int *none = (int *)0x1000;
    return !(x == 10 && none != &x);
}
