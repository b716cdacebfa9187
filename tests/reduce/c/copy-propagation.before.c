static int a = 3;
static int b = 4;
int main(void) {
    int c = a + 1;
    b = 5;
    return c * c + b;
}
