static const int fixed = 3;
int main(void) {
    int *p = (int *)&fixed;
    *p = 4; // UB: const-modified
    return fixed;
}
