static int a;
static long c;
int main(void) {
    a = 1;
    a = 2;
    return a + a + c + a + a;
}
