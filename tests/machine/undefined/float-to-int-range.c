// The integral part of 3e9 does not fit int.
int main(void) {
    double d = 3e9;
    int n = (int)d; // UB: float-to-int-range
    return n == 0;
}
