int a = 1;
int *b;
static int c;
int main(void) {
    int d;
    long e;
    int f = 2;
    return f;
}
