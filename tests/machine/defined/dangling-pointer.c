// The object that the pointer points to lives as long as the pointer is used.
static int *keep(void) {
    static int lasting = 5;
    return &lasting;
}
int main(void) {
    int *p;
    {
        int inner = 5;
        p = &inner;
        *p += 1;
        if (inner != 6) return 1;
    }
    p = keep();
    *p += 2;
    return *keep() != 7;
}
