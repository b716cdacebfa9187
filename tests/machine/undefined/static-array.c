// C11 6.7.6.3p7: the argument gives access to fewer elements than the parameter promises.
static int first(const int a[static 4]) { // UB: static-array
    return a[0];
}
int main(void) {
    int enough[4] = {0}, few[3] = {1};
    return first(enough) + first(few);
}
