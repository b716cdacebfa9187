int main(void) {
    return __builtin_return_address(0) == 0; // UNSUPPORTED: the address of a frame
}
