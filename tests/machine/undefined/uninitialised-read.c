// An automatic variable whose address is taken is read before it has a value.
static void look(int *p) { (void)p; }
int main(void) {
    int x;
    look(&x);
    if (x) // UB: uninitialised-read
        return 1;
    return 0;
}
