// C11 6.2.4p8: the array in the result of a function lives to the end of the full expression.
struct s { int a[2]; };
static struct s make(int n) {
    struct s s = {{n, n + 1}};
    return s;
}
int main(void) {
    int *p = make(1).a;
    return p[0]; // UB: dangling-pointer
}
