// An address at which no object ever was.
int main(void) {
    int *p = (int *)0x1000;
    return *p; // UB: invalid-dereference
}
