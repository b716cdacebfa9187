// C11 6.5.6p8: a pointer to a member does not reach the member before it.
struct s { int *p, *q; };
int main(void) {
    int i = 1;
    struct s s = {&i, &i};
    int **last = &s.q;
    return **(last - 1); // UB: pointer-arithmetic
}
