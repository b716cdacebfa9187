volatile int flags;
int main(void) {
    flags = 1;
    char *p = (char *)&flags;
    return p[0] + p[1]; // UB: volatile-access
}
