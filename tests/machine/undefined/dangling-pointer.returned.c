static int *address(void) {
    struct { int a[3]; } local = {{1, 2, 3}};
    return (int *)local.a; // UB: dangling-pointer
}
int main(void) {
    int *p = address();
    (void)p;
    return 0;
}
