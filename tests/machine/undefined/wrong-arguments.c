// An unprototyped call passes a double where the definition takes an int.
static int half();
int main(void) {
    return half(4.0); // UB: wrong-arguments
}
static int half(int x) { return x / 2; }
