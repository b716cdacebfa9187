static int a, b = 2;
static long c;
int main(void) {
    int d = 1;
    int e = 2;
    return a + b + c + d + e;
}
