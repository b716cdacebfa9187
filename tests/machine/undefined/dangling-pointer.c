// A pointer to a variable of a block that has ended.
int main(void) {
    int *p;
    {
        int inner = 5;
        p = &inner;
    }
    return *p; // UB: dangling-pointer
}
