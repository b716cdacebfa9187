volatile int flag = 1;
int main(void) {
    int *p = (int *)&flag;
    return *p; // UB: volatile-access
}
