int main(void) {
    _Bool b = 0;
    *(unsigned char *)&b = 2;
    return b; // UB: bool-representation
}
