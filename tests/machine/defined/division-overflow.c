int main(void) {
    int low = -0x7fffffff - 1, minus = -1;
    short s = -32768;
    return !(low / 1 == low && (low + 1) / minus == 0x7fffffff && (long long)low / minus == 0x80000000 && s / minus == 32768 &&
             (unsigned)low / (unsigned)minus == 0);
}
