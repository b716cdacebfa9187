// A null pointer gives access to none.
static int none(int a[const static 1]) { // UB: static-array
    return a == 0;
}
int main(void) { return none(0); }
