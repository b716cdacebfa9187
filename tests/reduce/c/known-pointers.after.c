int main(void) {
    int b = 1;
    int *p = &b;
    b = 2;
    return b * b;
}
