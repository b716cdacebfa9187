// An int is read at an odd address.
int main(void) {
    _Alignas(8) char buffer[16] = {0};
    int *p = (int *)(buffer + 1);
    return *p; // UB: misaligned-pointer
}
