// The missing value is not used; and main returns 0 by itself.
static int touched;
static int touch(int x) {
    touched = x;
    if (x > 100) return 1;
}
int main(void) {
    touch(5);
    if (touched != 5) return 1;
}
