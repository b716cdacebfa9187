int main(void) {
    int a[4], n = 4;
    int *end = a + n, *start = end - n, single;
    int *past = &single + 1;
    int *null = 0;
    return !(start == a && end - start == 4 && past != &single && null + 0 == 0);
}
