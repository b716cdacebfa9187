int main(void) {
    int b = 1;
    int *p = &b;
    *p = 2;
    return *p * *p;
}
