static char *at(char *p) {
    return __builtin_assume_aligned(p, 8, 4); // UB: attribute-violated
}
int main(void) {
    _Alignas(8) char text[16] = "";
    return *at(text + 4) + *at(text + 8);
}
