int main(void) {
    int x = 0, y = 0;
    int *restrict p1 = &x;
    {
        int *restrict q2 = &y;
        p1 = q2; // UB: restrict-violation
    }
    return *p1;
}
